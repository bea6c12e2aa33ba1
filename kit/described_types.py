"""Types as serializers: what the frames of a WebSocket describe, REST describes no second time."""

from typing import Any, Final

import msgspec
from msgspec import inspect
from rest_framework import serializers

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
