"""Operations of the REST interface: strict fields, checked input, described answers, pages.

JSON is taken at its word: a number is no text, and a text no number.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import msgspec
from django.db.models import Model, QuerySet
from drf_spectacular.utils import OpenApiResponse, extend_schema
from msgspec import inspect
from rest_framework import serializers
from rest_framework.request import Request

from kit.paging import COUNTED_MAX, PLACE_LENGTH_MAX, Order

Handler = TypeVar("Handler", bound=Callable[..., Any])
Row = TypeVar("Row", bound=Model)

# Something to read, and no control characters. Python and ECMAScript read it alike.
READABLE = r"^[^\x00-\x1F\x7F-\x9F]*[^\s\x00-\x1F\x7F-\x9F][^\x00-\x1F\x7F-\x9F]*$"
READABLE_OR_EMPTY = r"^[^\x00-\x1F\x7F-\x9F]*$"

ALWAYS = (401, 403, 429)
"""The refusals that every operation may give."""

CAUSES: Final = {
    400: "The request is not valid, or not on offer; `fields` says where.",
    401: "Nobody is logged in.",
    403: "This player may not do this, or the wallet is frozen.",
    404: "There is no such thing, or it is somebody else's.",
    409: "It is refused; `code` says why. Nothing was changed.",
    429: "Too many requests.",
}


# --- input ----------------------------------------------------------------------------------------


class StrictSerializer(serializers.Serializer):
    """An input without any other field: what is misspelled or not offered is named, not dropped."""

    def to_internal_value(self, data: Any) -> Any:
        """The values of the fields. Raises `ValidationError` with every unknown name."""
        unknown = sorted(set(data) - set(self.fields)) if isinstance(data, dict) else []
        if unknown:
            raise serializers.ValidationError(
                {name: ["There is no such field here."] for name in unknown}
            )
        return super().to_internal_value(data)


class PlaceField(serializers.RegexField):
    """A place in a list as an answer gave it; left out for the beginning."""

    default_error_messages = {"invalid": "This is no place in the list."}

    def __init__(self, order: Order, **kwargs: Any) -> None:
        super().__init__(order.pattern, max_length=PLACE_LENGTH_MAX, default="", **kwargs)
        self.order = order

    def to_internal_value(self, data: Any) -> str:
        """Refuse what no answer gave."""
        place: str = super().to_internal_value(data)
        if self.order.place(place) is None:
            self.fail("invalid")
        return place


class CountedPageField(serializers.IntegerField):
    """The number of a page near the beginning; from a place on a list has no end."""

    def __init__(self) -> None:
        super().__init__(
            min_value=1,
            max_value=COUNTED_MAX,
            default=1,
            help_text=f"Up to {COUNTED_MAX}; places lead further.",
        )


class WholeField(serializers.IntegerField):
    """A whole number that is written as one."""

    def to_internal_value(self, data: Any) -> int:
        """Refuse what only looks like a number: texts, truth values, 2.0."""
        if type(data) is not int:
            self.fail("invalid")
        number: int = super().to_internal_value(data)
        return number


class CentsField(WholeField):
    """An amount in cents, not below zero."""

    def __init__(self, *, max_value: int, **kwargs: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": max_value, **kwargs})


class YesOrNoField(serializers.BooleanField):
    """A truth value that is written as one."""

    def to_internal_value(self, data: Any) -> bool:
        """Refuse what only looks like a truth value."""
        if type(data) is not bool:
            self.fail("invalid", input=data)
        return bool(data)


class LineField(serializers.RegexField):
    """One line of text with something to read in it; empty only with `allow_blank`."""

    def __init__(self, **kwargs: Any) -> None:
        pattern = READABLE_OR_EMPTY if kwargs.get("allow_blank") else READABLE
        super().__init__(pattern, trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Refuse numbers and truth values, which a text field would write out."""
        if not isinstance(data, str):
            self.fail("invalid")
        text: str = super().to_internal_value(data)
        return text


def checked(serializer: type[serializers.Serializer], data: Any) -> dict[str, Any]:
    """The input as the serializer understands it. Raises the framework's `ValidationError`."""
    understood = serializer(data=data)
    understood.is_valid(raise_exception=True)
    return dict(understood.validated_data)


def query_of(request: Request, serializer: type[serializers.Serializer]) -> dict[str, Any]:
    """The parameters of the address; an empty one is wrong, not missing.

    Raises the framework's `ValidationError`.
    """
    fields = serializer().fields
    given = {
        name: values
        if isinstance(fields.get(name), serializers.MultipleChoiceField)
        else values[-1]
        for name, values in request.query_params.lists()
    }
    return checked(serializer, given)


# --- answers --------------------------------------------------------------------------------------


class RefusalSerializer(serializers.Serializer):
    """Every refusal: `code` is stable, `message` is for people, `fields` names what is wrong."""

    code = serializers.CharField()
    message = serializers.CharField()
    fields = serializers.DictField(required=False)  # type: ignore[assignment] # DRF names it so


def described(
    operation_id: str,
    *,
    answer: Any,
    status: int = 200,
    request: Any = None,
    refusals: tuple[int, ...] = (),
    tag: str = "",
    **schema: Any,
) -> Callable[[Handler], Handler]:
    """Describe an operation for the schema: its answer and every refusal it may give.

    Its tag is the first word of its id unless `tag` says another.
    """
    responses: dict[int, Any] = {status: answer}
    for code in sorted({*ALWAYS, *refusals}):
        responses[code] = OpenApiResponse(RefusalSerializer, description=CAUSES[code])
    tags = [tag or operation_id.partition("_")[0]]
    named = {"operation_id": operation_id, "request": request, "tags": tags}
    describe = extend_schema(responses=responses, **named, **schema)

    def decorate(handler: Handler) -> Handler:
        decorated = describe(handler)
        # The permission that reads the scopes of tokens looks it up.
        cast("Any", decorated).operation_id = operation_id
        return decorated

    return decorate


def page_of(
    rows: QuerySet[Row],
    number: str,
    serializer: type[serializers.BaseSerializer],
    *,
    limit: int,
    before: int | None = None,
) -> dict[str, Any]:
    """The newest `limit` rows whose field `number` is below `before`, and where to go on."""
    if before is not None:
        rows = rows.filter(**{f"{number}__lt": before})
    found = list(rows[: limit + 1])
    shown = found[:limit]
    more = len(found) > limit
    return {
        "results": serializer(shown, many=True).data,
        "next_before": getattr(shown[-1], number) if more else None,
    }


_PLAIN: Final[dict[Any, type[Any]]] = {
    inspect.BoolType: serializers.BooleanField,
    inspect.DateTimeType: serializers.DateTimeField,
    inspect.FloatType: serializers.FloatField,
    inspect.StrType: serializers.CharField,
    inspect.UUIDType: serializers.UUIDField,
}
_made: Final[dict[type, type[Any]]] = {}


def serializer_of(kind: type[msgspec.Struct]) -> type[Any]:
    """The serializer that answers with what a type describes.

    A type whose name in the description of the interface is another one has it as `IN_REST`.
    """
    if kind not in _made:
        found = inspect.type_info(kind)
        assert isinstance(found, inspect.StructType)
        fields = {
            each.encode_name: _field(each.type, **({} if each.required else {"required": False}))
            for each in found.fields
        }
        name = f"{vars(kind).get('IN_REST', kind.__name__)}Serializer"
        _made[kind] = type(name, (serializers.Serializer,), {"__doc__": kind.__doc__, **fields})
    return _made[kind]


def _field(kind: inspect.Type, **options: Any) -> Any:
    """The field for a type. Raises `KeyError` for one that no answer has."""
    match kind:
        case inspect.Metadata(type=described, extra_json_schema=said):
            return _field(described, help_text=(said or {})["description"], **options)
        case inspect.UnionType(types=types):
            (value,) = (each for each in types if not isinstance(each, inspect.NoneType))
            return _field(value, allow_null=True, **options)
        case inspect.StructType(cls=struct):
            return serializer_of(struct)(**options)
        case inspect.ListType(item_type=inspect.StructType(cls=struct)):
            return serializer_of(struct)(many=True, **options)
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            return serializers.ListField(child=_field(item), **options)
        case inspect.TupleType(item_types=items):  # all items of ours are alike
            lengths: dict[str, Any] = {"min_length": len(items), "max_length": len(items)}
            return serializers.ListField(child=_field(items[0]), **lengths, **options)
        case inspect.DictType(value_type=value):
            return serializers.DictField(child=_field(value), **options)
    return _value(kind, **options)


def _value(kind: inspect.Type, **options: Any) -> Any:
    match kind:
        case inspect.LiteralType(values=values) if isinstance(values[0], str):
            return serializers.ChoiceField(choices=values, **options)
        case inspect.LiteralType(values=(int(least), *_, int(most))):
            return serializers.IntegerField(min_value=least, max_value=most, **options)
        case inspect.IntType(ge=least, le=most):
            return serializers.IntegerField(min_value=least, max_value=most, **options)
    return _PLAIN[type(kind)](**options)
