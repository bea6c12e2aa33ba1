SELECT change_watch('games_bar', 'id');
