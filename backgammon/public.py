"""The names of `import backgammon as bg`, each from the module that owns it."""

from backgammon.analysis.depths import Depth
from backgammon.analysis.questions import MatchAnalysis, NoEngine, analyse, analyse_match
from backgammon.board import Board, legal_plays, read_position, write_play
from backgammon.counting.figures import Figures, Judged
from backgammon.counting.judging import CubeValue, Judgement, Option
from backgammon.counting.match_post import match_post
from backgammon.counting.situation import Situation
from backgammon.dice.errors import FairnessError
from backgammon.dice.signed_match import verify_dice
from backgammon.dice.verify import DiceFailure
from backgammon.engines.device import device_engine
from backgammon.engines.engine import Engine, EngineError, HouseEngine
from backgammon.engines.house import engine_for
from backgammon.formats.digest import match_digest
from backgammon.formats.errors import FormatError
from backgammon.formats.record import GameRecord, MatchRecord
from backgammon.formats.registry import read_match, write_match
from backgammon.pictures.plays import play_arrows
from backgammon.pictures.svg import svg
from backgammon.rules.cube import Cube
from backgammon.rules.drawing import draw
from backgammon.rules.errors import RulesError
from backgammon.rules.fibs_board import FibsBoard
from backgammon.rules.match_id import MatchId
from backgammon.rules.moves import Move
from backgammon.rules.ogid import format_ogid as ogid
from backgammon.rules.plays import LegalPlays
from backgammon.rules.position import Position
from backgammon.rules.position_id import format_position_id as position_id
from backgammon.rules.post import post_text
from backgammon.rules.variant import Options, Outcome, Variant
from backgammon.rules.variants import KEYS as VARIANTS
from backgammon.rules.variants import by_key as variant
from backgammon.rules.xgid import Xgid

__all__ = [
    "VARIANTS",
    "Board",
    "Cube",
    "CubeValue",
    "Depth",
    "DiceFailure",
    "Engine",
    "EngineError",
    "FairnessError",
    "FibsBoard",
    "Figures",
    "FormatError",
    "GameRecord",
    "HouseEngine",
    "Judged",
    "Judgement",
    "LegalPlays",
    "MatchAnalysis",
    "MatchId",
    "MatchRecord",
    "Move",
    "NoEngine",
    "Option",
    "Options",
    "Outcome",
    "Position",
    "RulesError",
    "Situation",
    "Variant",
    "Xgid",
    "analyse",
    "analyse_match",
    "device_engine",
    "draw",
    "engine_for",
    "legal_plays",
    "match_digest",
    "match_post",
    "ogid",
    "play_arrows",
    "position_id",
    "post_text",
    "read_match",
    "read_position",
    "svg",
    "variant",
    "verify_dice",
    "write_match",
    "write_play",
]
