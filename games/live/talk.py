"""The chat of one connection in its room: its requests, its messages and what it receives.

A connection receives no messages before it subscribes to the talk, so it costs nothing for programs
that only play. Each message is filtered anew, because a watcher may have taken a seat since
(`games.table.talk`).
"""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from games.broadcast import chat_channel, person_chat_channel
from games.live.delivery import Follower
from games.live.hub import hub
from games.models import ChatMessage
from games.selectors import chat_frame, ears_of, utterance
from games.services.chat import Address, Room, free_text_set, messages_in, mute_set, room_say
from games.services.chat_reports import room_report
from games.table.talk import Ears, Utterance
from games.wire import Chat, FreeText, MutePerson, Report, Say, TalkFrame, encode
from games.wire.frames import Failure, Reported, ServerFrame, Unsaid
from kit.database import in_thread
from kit.errors import Refusal


class Envelope(msgspec.Struct, frozen=True):
    """The publication of a message: its audience, and the frame as text."""

    said: Utterance
    frame: str


_envelopes = msgspec.json.Decoder(Envelope)


class Talk:
    """The chat of one connection; `tell` sends a text, `lost` is awaited after missed ones."""

    def __init__(
        self,
        room: Room,
        user_id: int | None,
        *,
        tell: Callable[[str], Awaitable[None]],
        lost: Callable[[], Awaitable[None]],
    ) -> None:
        self.room = room
        self.user_id = user_id
        self.ears = Ears(user_id)
        self._tell = tell
        self._lost = lost
        self._followers: list[Follower] = []

    async def answer(self, frame: TalkFrame) -> ServerFrame:
        """Carry out the request in a frame and return the answer."""
        if isinstance(frame, Chat):
            return await self._begin()
        return await in_thread(self._carry_out, frame)

    async def _begin(self) -> ServerFrame:
        """Subscribe first, then read: messages in between come twice, with the same number."""
        if not self._followers:
            self.ears = await in_thread(ears_of, self.user_id)
            said = chat_channel(self.room.key)
            self._followers.append(await hub().subscribe(self._listen, self._lost, said))
        if self.user_id is not None and len(self._followers) == 1:
            choices = person_chat_channel(self.user_id)
            self._followers.append(await hub().subscribe(self._heed, self._lost, choices))
        return await in_thread(self._chat)

    async def _listen(self, text: str) -> None:
        envelope = _envelopes.decode(text)
        if self.ears.hear(envelope.said):
            await self._tell(envelope.frame)

    async def _heed(self, _: str) -> None:
        """This person's chat settings have changed, perhaps on another page."""
        await self._tell(encode(await in_thread(self._chat)))

    def to_whom(self, frame: Say) -> Address:
        """The audience that the author chose; at a table it follows from the table's state."""
        return Address()

    def end(self) -> None:
        """Stop receiving."""
        for follower in self._followers:
            hub().unsubscribe(follower)

    # --- in a thread, with the database -----------------------------------------------------------

    def _chat(self) -> ServerFrame:
        self.ears = ears_of(self.user_id)
        return chat_frame(messages_in(self.room), self.room.seats(), self.ears)

    def _carry_out(self, frame: Say | MutePerson | FreeText | Report) -> ServerFrame:
        try:
            match frame:
                case Say():
                    return self._say(frame)
                case Report():
                    return self._report(frame)
            return self._choose(frame)
        except Refusal as error:
            refusal: dict[str, Any] = {"code": error.code, "message": str(error), **error.fields}
            if isinstance(frame, Say):
                return Unsaid(id=frame.id, **refusal)
            return Failure(code=error.code, message=str(error))

    def _say(self, frame: Say) -> ServerFrame:
        said: ChatMessage = room_say(
            self.room,
            user_id=self.user_id,
            client_id=frame.id,
            phrase=frame.phrase or "",
            text=frame.text or "",
            to=self.to_whom(frame),
        )
        return utterance(said, (None, None))[1]

    def _report(self, frame: Report) -> ServerFrame:
        room_report(
            self.room,
            user_id=self.user_id,
            message_id=frame.message,
            reason=frame.reason,
            words=frame.words,
        )
        return Reported(message=frame.message)

    def _choose(self, frame: MutePerson | FreeText) -> ServerFrame:
        if self.user_id is None:
            return Failure(code="may_not_talk", message="log in to choose")
        if isinstance(frame, MutePerson):
            mute_set(user_id=self.user_id, person_id=frame.person, on=frame.on)
        else:
            free_text_set(user_id=self.user_id, on=frame.on)
        return self._chat()
