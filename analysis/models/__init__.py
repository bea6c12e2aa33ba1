"""The models of the analysis: reports, questions, exercises, matches from elsewhere, decisions."""

from analysis.models.decisions import (
    DecidedMatch,
    DecisionList,
    ListedDecision,
    MyDecision,
    PositionNote,
)
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
    "DecidedMatch",
    "DecisionList",
    "DecisionRow",
    "ErrorExercise",
    "Exercise",
    "ExerciseTry",
    "Import",
    "ImportedFile",
    "ImportedMatch",
    "Job",
    "ListedDecision",
    "MyDecision",
    "NameInFiles",
    "Opinion",
    "PositionAnswer",
    "PositionNote",
    "Question",
    "Report",
    "Rollout",
    "ThemeSum",
    "Transcript",
]
