-- People have come by COPY. Addresses and wallets of theirs; `bench.base` is the id before the first.
INSERT INTO account_emailaddress (email, verified, "primary", user_id)
SELECT email, true, true, id FROM accounts_user WHERE id > current_setting('bench.base')::bigint ORDER BY id;
