-- The sums of a report and the errors that can be exercises are never altered or deleted.
SELECT rows_stay('analysis_themesum');
SELECT rows_stay('analysis_errorexercise');
