"""Settings of the REST API: authentication, throttling and its description."""

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "pasch.api.access.PageSession",
        "pasch.api.access.BotToken",
    ],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticated",
        "pasch.api.access.TokenScope",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["pasch.api.strict_json.StrictJSON"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "pasch.web.errors.exception_handler",
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {"anon": "60/min", "user": "300/min"},
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Pasch",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "pasch.api.schema.scopes_declare",
    ],
    "ENUM_NAME_OVERRIDES": {
        "EntryKind": "ledger.postings.KIND_RULES",
        "PauseKind": "ledger.models.PlayPause.Kind",
        "PayoutState": "ledger.models.PayoutState",
        "ChallengeState": "games.models.ChallengeState",
        "ThemeName": "analysis.exercises.themes.THEMES",
        "AnswerKind": "analysis.api.positions.KINDS",
        "CubeVerdict": "analysis.api.positions.VERDICTS",
        "ExerciseKind": "analysis.api.exercises.KINDS",
        "ExerciseSubject": "analysis.training.plan.SUBJECTS",
        "ExerciseGrade": "analysis.api.exercises.GRADES",
        "PhaseEnum": "tournaments.api.PHASES",
        "ChouettePhase": "games.chouette.api.PHASES",
        "ChouetteSide": "games.chouette.api.SIDES",
        "ModeEnum": "games.api.wishes.MODES",
    },
}
