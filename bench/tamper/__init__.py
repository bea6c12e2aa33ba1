"""Changes that a superuser of the database or the application's own role may try, one by one."""
