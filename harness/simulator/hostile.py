"""Messages that no honest client sends, and the tables that receive them."""

import json
from collections import Counter
from random import Random
from typing import Any, Final
from uuid import UUID, uuid4

import msgspec
from django.db import connection
from django.forms.models import model_to_dict

from accounts.models import User
from games.models import CommandRecord, Deadline, Match, Table, TableEvent
from games.services.tables import table_command, table_join, table_open
from games.table import commands as cmd
from games.table.errors import TableError
from games.wire import FRAME_BYTES_MAX, BadFrame, CommandFrame, parse_client
from ledger.models import Account, Transfer

#: values that are wrong in any field.
STRANGE: Final = (
    None, True, -1, 0, 7, 25, 2**31, 2**53 + 1, 2**63, -(2**63), 10**30, 1.5, 1e308, "", "roll",
    "\x00", "🎲" * 9, "x" * 70, [], [[]], {}, {"type": "roll"}, [1] * 200, "NaN",
)  # fmt: skip
HOUSE_ONLY: Final = (
    "open_table", "sit", "give_dice", "wake_up", "note_presence", "credit_outage", "give_rematch",
    "settle", "void", "adjudicate", "roll ", "ROLL", "", "double\x00",
)  # fmt: skip
PLAYERS: Final = tuple(command.__struct_config__.tag for command in cmd.PlayerCommand.__args__)
RAW: Final = (
    b"", b"{", b"[]", b"null", b"\xff\xfe", b"\x00", b'"command"', b"[" * 20_000, b"{" * 9_000,
    b'{"type":"resume"}', b'{"type":"ping","sent_ms":NaN}', b'{"type":"resume","since":1e400}',
)  # fmt: skip


class Siege:
    """Three tables (waiting, in the middle of a match, over) and a sender of hostile messages.

    The player on roll at the running table never sends a legal command, and the messages of the
    others change nothing there.
    """

    def __init__(self, random: Random) -> None:
        self.random = random
        self.sent = 0
        self.last: bytes = b""
        names = ("magriel", "hilde", "tilo", "otto", "paul")
        people = [User.objects.create_user(f"{name}-{uuid4().hex[:6]}") for name in names]
        self.people = people
        running = table_open(user=people[0], mode="prize5", stake_cents=250)
        table_join(user=people[1], table_id=running.pk)
        over = table_open(user=people[2], mode="prize5", stake_cents=250)
        table_join(user=people[3], table_id=over.pk)
        waiting = table_open(user=people[4], mode="prize5", stake_cents=250)
        self.running, self.waiting, self.over = running.pk, waiting.pk, over.pk
        self._say(self.running, people[0], cmd.Roll())
        self._say(self.over, people[2], cmd.Roll())
        self._say(self.over, people[3], cmd.Leave())
        self._say(self.over, people[3], cmd.StandUp())
        self.seqs = {table.pk: table.seq for table in Table.objects.all()}

    def _say(self, table_id: UUID, user: User, command: cmd.PlayerCommand) -> None:
        table = Table.objects.get(pk=table_id)
        table_command(
            table_id=table_id,
            user_id=user.pk,
            command_id=str(uuid4()),
            seen_seq=table.seq,
            command=command,
        )

    def send(self, messages: int) -> Counter[str]:
        """Send this many messages; return the answers. Raises if one gets no typed answer."""
        before, answers = self.everything(), Counter[str]()
        for number in range(messages):
            self.sent, self.last = number, self._message()
            answers[self._answer(self.last)] += 1
            if number % 50_000 == 49_999:
                assert self.everything() == before, "something has changed"
        assert self.everything() == before, "something has changed"
        return answers

    def everything(self) -> list[object]:
        """All that is stored of tables, matches and credits, without the refusals themselves."""
        models = (Table, Match, TableEvent, Deadline, Account, Transfer)
        rows = [[model_to_dict(row) for row in m.objects.order_by("pk")] for m in models]
        accepted = CommandRecord.objects.filter(refusal__isnull=True)
        rows.append([model_to_dict(row) for row in accepted.order_by("pk")])
        states = list(Table.objects.order_by("pk").values_list("seq", "state", "phase"))
        return [json.loads(json.dumps(rows, default=str)), states]

    def _answer(self, text: bytes) -> str:
        if len(text) > FRAME_BYTES_MAX:
            return "closed: too big"
        try:
            frame = parse_client(text)
        except BadFrame as error:
            return error.code
        if not isinstance(frame, CommandFrame):
            return type(frame).__name__.lower()
        return self._command(frame)

    def _command(self, frame: CommandFrame) -> str:
        """Give the command to a table that refuses it; return the code of the refusal."""
        table_id, user_id = self._author()
        try:
            table_command(
                table_id=table_id,
                user_id=user_id,
                command_id=frame.id,
                seen_seq=frame.seq,
                command=frame.command,
            )
        except TableError as error:
            assert not connection.in_atomic_block
            return error.code
        raise AssertionError("a hostile command was accepted")

    def _author(self) -> tuple[UUID, int]:
        """A table and a person whose commands it refuses, or ids that do not exist."""
        magriel, hilde, tilo, otto, paul = (user.pk for user in self.people)
        return self.random.choice(
            (
                (self.running, tilo),
                (self.running, 0),
                (self.running, 2**31 - 1),
                (self.waiting, magriel),
                (self.over, otto),
                (self.over, tilo),
                (self.over, hilde),
                (uuid4(), paul),
            )
        )

    # --- messages -------------------------------------------------------------------------------

    def _message(self) -> bytes:
        die = self.random.random()
        if die < 0.1:
            return self.random.choice(RAW)
        if die < 0.25:
            return self.random.randbytes(self.random.randint(0, 60))
        text = msgspec.json.encode(self._frame())
        if die < 0.94:
            return self._damaged(text)
        return text

    def _frame(self) -> dict[str, Any]:
        """A valid-looking frame, often with an error in it."""
        random = self.random
        command: dict[str, Any] = {"type": random.choice((*PLAYERS, *HOUSE_ONLY))}
        if command["type"] == "play":
            move = [random.randint(-1, 26), random.randint(-1, 26), random.randint(0, 7)]
            command["moves"] = [move] * random.randint(0, 5)
        elif command["type"] in ("name_double", "number"):
            command["number"] = random.choice((0, 3, 6, 7, 2**40))
        elif command["type"] == "offer_resignation":
            command["level"] = random.choice((0, 1, 2, 3, 4, 2**40))
        frame = {"type": "command", "id": str(uuid4()), "seq": self._seq(), "command": command}
        die = random.random()
        if die < 0.2:
            frame[random.choice((*frame, "more"))] = random.choice(STRANGE)
        elif die < 0.4:
            command[random.choice((*command, "seat", "dice", "level"))] = random.choice(STRANGE)
        elif die < 0.45:
            frame["pad"] = "x" * random.choice((100, FRAME_BYTES_MAX))
        return frame

    def _seq(self) -> int:
        """The seq that the client sends: mostly right, sometimes old or in the future."""
        right = self.random.choice(tuple(self.seqs.values()))
        return self.random.choice((right, right, 0, 1, right + 1, 2**53))

    def _damaged(self, text: bytes) -> bytes:
        """Some bytes changed, cut out or doubled."""
        data = bytearray(text)
        for _ in range(self.random.randint(1, 4)):
            if not data:
                break
            at = self.random.randrange(len(data))
            match self.random.randrange(3):
                case 0:
                    data[at] = self.random.randrange(256)
                case 1:
                    del data[at : at + self.random.randint(1, 9)]
                case _:
                    data[at:at] = data[at : at + self.random.randint(1, 9)]
        return bytes(data)
