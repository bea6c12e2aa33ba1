"""Settings of the house that administrators change at the desk: name, currency and the like."""
