-- The opinion of a second engine is never altered or deleted.
SELECT rows_stay('analysis_opinion');
