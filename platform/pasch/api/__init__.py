"""The REST API as a whole: authentication, strict JSON, the OpenAPI description."""
