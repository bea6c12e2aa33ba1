-- A rating change is never altered or deleted.
SELECT rows_stay('ratings_ratingchange');
