SELECT change_watch('accounts_housechange', 'number');
