"""The one format of dates and times in each language (settings.FORMAT_MODULE_PATH)."""
