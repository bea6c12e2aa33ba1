SELECT change_watch('ledger_hold', 'id');
