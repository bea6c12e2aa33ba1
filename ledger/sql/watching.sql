-- What is watched of the books and of the people (watched.sql).
SELECT change_watch('ledger_payout', 'id');
SELECT change_watch('ledger_payoutstep', 'id');
SELECT change_watch('ledger_voucher', 'id');
SELECT change_watch('ledger_adjustment', 'id');
SELECT change_watch('ledger_proposal', 'id');
SELECT change_watch('ledger_warrant', 'id');
SELECT change_watch('ledger_playlimit', 'id');
SELECT change_watch('ledger_playpause', 'id');
SELECT change_watch('ledger_stakesstop', 'id');
SELECT change_watch('ledger_welcome', 'user_id');
SELECT change_watch('auth_group', 'id');
SELECT change_watch('auth_group_permissions', 'id');
SELECT change_watch('accounts_rolegrant', 'id');
SELECT change_watch('accounts_identitychange', 'id');
SELECT change_watch('accounts_accountdeletion', 'id');
SELECT change_watch('accounts_user_groups', 'id');
SELECT change_watch('accounts_user_user_permissions', 'id');
SELECT change_watch('accounts_user', 'id', ARRAY['id', 'username', 'is_superuser', 'is_staff', 'is_active', 'is_bot']);
