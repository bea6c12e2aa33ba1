"""docs/protocol.schema.json follows the types, and docs/protocol.md describes all of it."""

import io
import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from django.core.management import call_command
from jsonschema_rs import meta

from games.modes.terms import Terms
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import Reason
from games.table.talk import PHRASES, REPORT_REASONS
from games.wire import (
    BadFrame,
    ClientFrame,
    encode,
    event_frame,
    event_payload,
    event_type,
    numbered,
    parse_client,
)
from games.wire.frames import ErrorCode, RejectedCode, ServerFrame, UnsaidCode
from games.wire.schema import frames_declarations, protocol_schema
from harness.voice import CLIENT, EVENT, mistakes

ROOT = Path(__file__).resolve().parents[2]
DOCS, STATIC = ROOT / "docs", ROOT / "static"
SCHEMA = json.loads((DOCS / "protocol.schema.json").read_text())
PROSE = (DOCS / "protocol.md").read_text()


def tags(union: object) -> set[str]:
    return {kind.__struct_config__.tag for kind in get_args(union)}


def section(heading: str) -> str:
    """The prose under a heading, up to the next heading of any level."""
    return re.split(r"(?m)^#+ ", PROSE.split(f"{heading}\n", 1)[1], maxsplit=1)[0]


def first_cells(text: str) -> set[str]:
    """The code spans in the first cells of a section's tables."""
    rows = re.findall(r"(?m)^\| (`[^|]*) \|", text)
    return {name for row in rows for name in re.findall(r"`([a-z_0-9]+)`", row)}


def test_the_file_is_what_the_command_prints():
    printed = io.StringIO()
    call_command("protocol_schema", stdout=printed)
    assert printed.getvalue() == (DOCS / "protocol.schema.json").read_text()
    assert "\\n    " not in printed.getvalue(), "indented where Python is older than 3.13"


def test_the_declarations_for_the_scripts_are_what_the_command_prints():
    printed = io.StringIO()
    call_command("frames_types", stdout=printed)
    assert printed.getvalue() == (STATIC / "js/types/frames.d.ts").read_text()


@pytest.mark.parametrize(
    ("part", "declared"),
    [
        ("Pong", '  type: "pong";\n  sent_ms: number;\n  now_ms: number;\n  seq: number | null;'),
        ("Board", "  bar: [number, number];"),
        ("CubeView", "  owner: 0 | 1 | null;\n  offered_by: 0 | 1 | null;\n  offered_value?: "),
        ("View", "  graph: [number, number, number, number][][] | null;"),
        ("View", "  players: [Person | null, Person | null];"),
        ("Update", "  events: Event[];\n  view: View;"),
        ("FairView", "  terms: string;\n  house: string;\n  given: (string | null)[];"),
    ],
)
def test_the_declarations_say_what_a_field_holds(part, declared):
    text = re.search(rf"export interface {part} \{{\n(.*?)\n\}}", frames_declarations(), re.DOTALL)
    assert declared in text[1]


def test_the_declarations_have_every_part_of_the_schema():
    named = re.findall(r"(?m)^export (?:interface|type) (\w+)", frames_declarations())
    assert named == sorted(SCHEMA["$defs"])


def test_the_schema_is_one():
    meta.validate(SCHEMA)


def test_the_prose_names_every_type_of_frame_and_every_command():
    client = section("## From the client")
    assert tags(ClientFrame) | tags(cmd.PlayerCommand) == first_cells(client)
    assert tags(ServerFrame) == first_cells(section("## From the server"))


def test_the_prose_names_every_event():
    known = protocol_schema()["$defs"]["Event"]["discriminator"]["mapping"]
    assert set(known) == first_cells(section("### Events"))


def test_the_prose_names_every_code():
    codes = {*get_args(RejectedCode), *get_args(UnsaidCode), *get_args(ErrorCode)}
    assert codes == first_cells(section("### Codes"))


def test_t2_the_prose_names_every_reason():
    """The page has words for each: the types of static/js/table/reasons.js demand them."""
    assert set(Reason) == first_cells(section("### Reasons"))


def test_the_prose_names_every_phrase_and_reason():
    talk = set(re.findall(r"`([a-z_]+)`", section("## Chat")))
    assert {*PHRASES, *REPORT_REASONS} <= talk


def test_the_view_in_the_prose_is_a_view():
    shown = json.loads(re.search(r"```json\n(.*?)```", PROSE, re.DOTALL)[1].replace("…", ""))
    frame = {"type": "snapshot", "seq": 1, "now_ms": 1, "view": shown, "log": []}
    assert mistakes(frame) == []


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "resume", "since": -1},
        {"type": "say", "id": "a"},
        {"type": "say", "id": "a", "phrase": "hello", "text": "hello"},
        {"type": "say", "id": "", "phrase": "hello"},
        {"type": "say", "id": "a", "phrase": "curse"},
        {"type": "mute", "person": 0, "on": True},
        {"type": "report", "message": 1, "reason": "no"},
        {"type": "chat", "more": 1},
        {"type": "command", "id": "a", "seq": 1, "command": {"type": "sit"}},
        {"type": "command", "id": "a", "seq": 1, "command": {"type": "roll", "dice": [6, 6]}},
        {"type": "shout"},
    ],
    ids=str,
)
def test_what_the_schema_refuses_the_parser_refuses(frame):
    assert mistakes(frame, CLIENT)
    with pytest.raises(BadFrame):
        parse_client(json.dumps(frame))


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "resume", "since": 0},
        {"type": "say", "id": "a", "text": "hello"},
        {"type": "report", "message": 1, "reason": "spam"},
        {"type": "command", "id": "a", "seq": 1, "command": {"type": "play", "moves": [[6, 5, 1]]}},
    ],
    ids=str,
)
def test_what_the_parser_takes_the_schema_takes(frame):
    assert mistakes(frame, CLIENT) == []
    assert msgspec.to_builtins(parse_client(json.dumps(frame)))["type"] == frame["type"]


def test_an_event_that_is_text_already_is_the_same_frame():
    for event in (
        ev.PlayerReady(at_ms=1, seat=0),
        ev.TableOpened(at_ms=1, player=1, terms=Terms()),
    ):
        frame = json.loads(encode([numbered(7, encode(event))]))[0]
        assert frame == event_frame(7, event_payload(event))
        assert frame["type"] == event_type(event)
        assert mistakes(frame, EVENT) == []


def test_an_undocumented_field_is_found():
    event = {"seq": 1, "at_ms": 1, "type": "player_ready", "seat": 0}
    assert mistakes(event, EVENT) == []
    assert mistakes({**event, "secret": 1}, EVENT)
