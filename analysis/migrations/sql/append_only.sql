-- A report and its decisions are never altered or deleted.
SELECT rows_stay('analysis_report');
SELECT rows_stay('analysis_decisionrow');
