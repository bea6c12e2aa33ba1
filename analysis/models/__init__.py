"""The models of the analysis: reports, questions, exercises, matches from elsewhere."""

from analysis.models.exercises import Exercise, ExerciseTry
from analysis.models.imports import (
    Import,
    ImportedFile,
    ImportedMatch,
    NameInFiles,
    Transcript,
)
from analysis.models.questions import PositionAnswer, Question, Rollout
from analysis.models.reports import (
    DecisionRow,
    ErrorExercise,
    Job,
    Opinion,
    Report,
    ThemeSum,
)

__all__ = [
    "DecisionRow",
    "ErrorExercise",
    "Exercise",
    "ExerciseTry",
    "Import",
    "ImportedFile",
    "ImportedMatch",
    "Job",
    "NameInFiles",
    "Opinion",
    "PositionAnswer",
    "Question",
    "Report",
    "Rollout",
    "ThemeSum",
    "Transcript",
]
