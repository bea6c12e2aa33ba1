-- What the books seal of their own (seals.sql).

SELECT seal_stream('transfer', 'ledger_transfer', 'id', 'created_at');
CREATE OR REPLACE FUNCTION stream_transfer_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT t.id, public.ledger_transfer_text(t) FROM public.ledger_transfer t WHERE t.id > p_from AND t.id <= p_to
$$;

SELECT seal_stream('journal', 'ledger_journalentry', 'id', 'created_at');
CREATE OR REPLACE FUNCTION stream_journal_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT j.id, public.ledger_journal_text(j) FROM public.ledger_journalentry j WHERE j.id > p_from AND j.id <= p_to
$$;

SELECT seal_stream('change', 'ledger_change', 'id', 'made_at');
CREATE OR REPLACE FUNCTION stream_change_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT c.id, jsonb_build_array('pasch.change.1', c.id, c.table_name, c.row_key, c.content, c.by_role,
        public.ledger_micros(c.made_at))::text
    FROM public.ledger_change c WHERE c.id > p_from AND c.id <= p_to
$$;

SELECT seal_stream('audit', 'ledger_auditrun', 'id', 'started_at');
CREATE OR REPLACE FUNCTION stream_audit_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT a.id, jsonb_build_array('pasch.audit.1', a.id, public.ledger_micros(a.started_at), a.duration_ms,
        a.finding_count, a.report, public.ledger_micros(a.since_at), a.sealed_to)::text
    FROM public.ledger_auditrun a WHERE a.id > p_from AND a.id <= p_to
$$;
