-- An answer about a position is never altered or deleted.
SELECT rows_stay('analysis_positionanswer');
