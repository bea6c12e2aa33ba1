"""Dates and times of the pages; static/js/dates.js writes the same."""

DATE_FORMAT = "d.m.Y"
SHORT_DATE_FORMAT = "d.m.Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "d.m.Y, H:i"
SHORT_DATETIME_FORMAT = "d.m.Y, H:i"
