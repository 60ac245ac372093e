"""Checks of arguments that several calls have."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from .errors import InvalidArgumentError

#: The timeout of a socket has 31 bits of milliseconds.
_LONGEST_TIMEOUT = (2**31 - 1) // 1_000


def is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Whether a value is a finite number. A decimal is none: it cannot be added to a float."""
    return is_int(value) or (isinstance(value, float) and math.isfinite(value))


def check_timeout(name: str, timeout: float) -> float:
    """:raises InvalidArgumentError: unless the timeout is a number of seconds that a socket can wait"""
    if is_number(timeout) and 0 < timeout <= _LONGEST_TIMEOUT:
        return timeout
    raise InvalidArgumentError(
        f"{name} must be a number of seconds above 0 and up to {_LONGEST_TIMEOUT}.", code="invalid-timeout"
    )


def to_json(params: object) -> bytes:
    """:raises InvalidArgumentError: unless the params are a mapping that JSON can express"""
    if not isinstance(params, Mapping):
        raise InvalidArgumentError("The params must be a mapping.", code="invalid-params")
    try:
        return json.dumps(dict(params), allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidArgumentError(f"The params must be JSON: {error}", code="invalid-params") from None
