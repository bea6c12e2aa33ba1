-- Seals: a chained hash over the rows, so that a later change shows even where every sum still agrees.

-- The canonical text of one transfer with its lines; the first element names this encoding.
CREATE FUNCTION ledger_transfer_text(t ledger_transfer) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT jsonb_build_array('pasch.transfer.1', t.id, t.key, t.kind, t.reference, encode(t.digest, 'hex'),
        t.actor_id, t.approver_id, t.memo, t.reverses_id,
        (extract(epoch FROM t.created_at) * 1000000)::bigint,
        (SELECT jsonb_agg(jsonb_build_array(e.line, a.key, e.amount_cents, e.balance_after_cents,
                                            e.account_version) ORDER BY e.line)
         FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
         WHERE e.transfer_id = t.id))::text
$$;

CREATE FUNCTION ledger_journal_text(j ledger_journalentry) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT jsonb_build_array('pasch.journal.1', j.id, j.actor_id, j.verb, j.subject, j.before, j.after,
        j.reason, (extract(epoch FROM j.created_at) * 1000000)::bigint)::text
$$;

-- Root over the rows in (p_from, p_to]: sha256(previous root || leaf || leaf …), leaves by id.
CREATE FUNCTION ledger_seal_root(p_stream text, p_previous bytea, p_from bigint, p_to bigint,
                                 OUT root bytea, OUT row_count bigint)
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT sha256(p_previous || coalesce(string_agg(
               sha256(convert_to(leaf.text, 'UTF8')), ''::bytea ORDER BY leaf.id), ''::bytea)),
           count(*)
    FROM (SELECT t.id, ledger_transfer_text(t) AS text FROM ledger_transfer t
          WHERE p_stream = 'transfer' AND t.id > p_from AND t.id <= p_to
          UNION ALL
          SELECT j.id, ledger_journal_text(j) FROM ledger_journalentry j
          WHERE p_stream = 'journal' AND j.id > p_from AND j.id <= p_to) leaf
$$;

-- The highest id below which nothing is still being written. Waits for writers and holds them up for
-- an instant (SHARE lock): ids are drawn before they commit, so "everything above the last" loses rows.
CREATE FUNCTION ledger_seal_cut(p_stream text) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '2s' AS $$
BEGIN
    IF p_stream = 'transfer' THEN
        LOCK TABLE ledger_transfer IN SHARE MODE;
        RETURN (SELECT coalesce(max(id), 0) FROM ledger_transfer);
    END IF;
    LOCK TABLE ledger_journalentry IN SHARE MODE;
    RETURN (SELECT coalesce(max(id), 0) FROM ledger_journalentry);
END $$;

-- Appends the next seal up to p_to, a cut taken before; answers no row when there is nothing new.
CREATE FUNCTION ledger_seal_append(p_stream text, p_to bigint) RETURNS SETOF ledger_seal LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_last ledger_seal;
    v_previous bytea;
    v_sealed record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('pasch.ledger.seal.' || p_stream));
    SELECT * INTO v_last FROM ledger_seal s WHERE s.stream = p_stream ORDER BY s.number DESC LIMIT 1;
    v_previous := coalesce(v_last.root, decode(repeat('00', 32), 'hex'));
    SELECT * INTO v_sealed FROM ledger_seal_root(p_stream, v_previous, coalesce(v_last.to_id, 0), p_to);
    IF v_sealed.row_count = 0 THEN
        RETURN;
    END IF;
    RETURN QUERY INSERT INTO ledger_seal
            (stream, number, from_id, to_id, row_count, previous_root, root)
        VALUES (p_stream, coalesce(v_last.number, 0) + 1, coalesce(v_last.to_id, 0), p_to,
                v_sealed.row_count, v_previous, v_sealed.root)
        RETURNING *;
END $$;

-- Balance of an account: stored where it is bounded, else the last snapshot and what came after.
CREATE FUNCTION ledger_balance(p_account text) RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN a.bounded THEN a.balance_cents ELSE coalesce(s.balance_cents, 0) + coalesce(
        (SELECT sum(e.amount_cents)::bigint FROM ledger_entry e WHERE e.account_id = a.id
         AND e.account_version IS NULL AND e.transfer_id > coalesce(s.upto_transfer_id, 0)), 0) END
    FROM ledger_account a
    LEFT JOIN LATERAL (SELECT * FROM ledger_snapshot s WHERE s.account_id = a.id
                       ORDER BY s.upto_transfer_id DESC LIMIT 1) s ON true
    WHERE a.key = p_account
$$;

-- One snapshot per summed account, up to the last sealed transfer (below it nothing can appear any more).
CREATE FUNCTION ledger_snapshot_take() RETURNS int LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_upto bigint := (SELECT max(to_id) FROM ledger_seal WHERE stream = 'transfer');
    v_taken int;
BEGIN
    INSERT INTO ledger_snapshot (account_id, upto_transfer_id, balance_cents)
    SELECT a.id, v_upto, coalesce(s.balance_cents, 0) + coalesce(sum(e.amount_cents), 0)
    FROM ledger_account a
    LEFT JOIN LATERAL (SELECT * FROM ledger_snapshot s WHERE s.account_id = a.id
                       ORDER BY s.upto_transfer_id DESC LIMIT 1) s ON true
    LEFT JOIN ledger_entry e ON e.account_id = a.id AND e.account_version IS NULL
        AND e.transfer_id > coalesce(s.upto_transfer_id, 0) AND e.transfer_id <= v_upto
    WHERE NOT a.bounded AND v_upto > coalesce(s.upto_transfer_id, 0)
    GROUP BY a.id, s.balance_cents
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS v_taken = ROW_COUNT;
    RETURN v_taken;
END $$;
