-- A transcript is never altered or deleted: reports stand on it, and it names nobody.
SELECT rows_stay('analysis_transcript');
