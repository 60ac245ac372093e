"""Verification of webhook requests, and requests for tests (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, NamedTuple, Optional, Protocol, Union, cast

from ._arguments import is_number
from .errors import InvalidArgumentError, WebhookVerificationError
from .types import WebhookEvent

_DEFAULT_TOLERANCE_SECONDS = 300
#: Tollgate sends two during a rotation. Each costs a hash of the body, and the sender is not known yet.
_MAX_SIGNATURES = 10


class Headers(Protocol):
    """The headers of a request, as a mapping or in the type of a framework."""

    def items(self) -> Iterable[tuple[str, Union[str, Sequence[str]]]]: ...


class SignedRequest(NamedTuple):
    """A request as Tollgate sends it."""

    body: bytes
    headers: dict[str, str]


def verify(
    raw_body: Union[bytes, str],
    headers: Headers,
    secrets: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = _DEFAULT_TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> WebhookEvent:
    """Verifies a webhook request, and returns its event.

    :param raw_body: the body as received, before any JSON parser
    :param headers: of the request, in any case; each value is a text, or a list with one
    :param secrets: of the endpoint, ``whsec_…``; several during a rotation
    :param tolerance_seconds: how far the time of the attempt may differ from now, in either direction
    :param now: Unix time, for a test with a recorded request
    :raises WebhookVerificationError: unless one of the secrets signed these exact bytes within the tolerance
    :raises InvalidArgumentError: for a secret that is none, and an argument of another type or range
    """
    now = _time_of(now)
    if not is_number(tolerance_seconds) or tolerance_seconds < 0:
        raise InvalidArgumentError("tolerance_seconds must be a number of 0 or more.", code="invalid-tolerance")
    body = _bytes_of(raw_body)
    keys = _keys_of(secrets)
    message_id = _header_of(headers, "webhook-id")
    timestamp = _header_of(headers, "webhook-timestamp")
    signatures = _parse_signatures(_header_of(headers, "webhook-signature"))
    _check_time(timestamp, now, tolerance_seconds)

    digests = _digests(keys, message_id, timestamp, body)
    if not any(hmac.compare_digest(digest, signature) for digest in digests for signature in signatures):
        raise _rejection("signature-mismatch", "No signature matches. Check the secret, and pass the body as received.")
    return _parse_event(message_id, body)


def generate_test_request(
    event: Mapping[str, Any], secrets: Union[str, Sequence[str]], *, now: Optional[float] = None
) -> SignedRequest:
    """Signs an event as Tollgate does, for a test of a receiver.

    :param event: with ``type``, ``data``, and perhaps ``id``
    :param secrets: ``whsec_…``; several sign as during a rotation
    :param now: Unix time of the request; one in the past is too old
    :raises InvalidArgumentError: for a secret that is none, and an argument of another type
    """
    now = _time_of(now)
    keys = _keys_of(secrets)
    if not (isinstance(event, Mapping) and isinstance(event.get("type"), str) and isinstance(event.get("data"), Mapping)):
        raise InvalidArgumentError("The event must be a mapping with a type and data.", code="invalid-event")
    message_id = event.get("id") or f"evt_{uuid.uuid4()}"
    timestamp = str(int(now))
    sent_at = datetime.fromtimestamp(now, timezone.utc).isoformat(timespec="milliseconds")
    body = json.dumps({"type": event["type"], "timestamp": sent_at, "data": event["data"]}).encode()
    digests = _digests(keys, message_id, timestamp, body)
    return SignedRequest(
        body,
        {
            "content-type": "application/json",
            "webhook-id": message_id,
            "webhook-timestamp": timestamp,
            "webhook-signature": " ".join(f"v1,{base64.b64encode(digest).decode()}" for digest in digests),
        },
    )


def _time_of(now: Optional[float]) -> float:
    if now is None:
        return time.time()
    if not is_number(now):
        raise InvalidArgumentError("now must be a Unix time.", code="invalid-now")
    return now


def _digests(keys: list[bytes], message_id: str, timestamp: str, body: bytes) -> list[bytes]:
    signed = _utf8(f"{message_id}.{timestamp}.") + body
    return [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]


def _bytes_of(raw_body: object) -> bytes:
    if isinstance(raw_body, str):
        return _utf8(raw_body)
    if isinstance(raw_body, (bytes, bytearray, memoryview)):
        return bytes(raw_body)
    raise InvalidArgumentError(
        "raw_body must be the body as received, bytes or text, and not parsed JSON.", code="invalid-body"
    )


def _utf8(text: str) -> bytes:
    """A lone surrogate becomes bytes that are no UTF-8, so that no text of a sender equals them."""
    return text.encode("utf-8", "surrogatepass")


def _keys_of(secrets: object) -> list[bytes]:
    all_secrets = [secrets] if isinstance(secrets, str) else secrets
    if not isinstance(all_secrets, Iterable):
        raise _invalid_secret()
    keys = [_key_of(secret) for secret in all_secrets]
    if not keys:
        raise _invalid_secret()
    return keys


def _key_of(secret: object) -> bytes:
    key = _decode_base64(secret[len("whsec_") :]) if isinstance(secret, str) and secret.startswith("whsec_") else None
    if not key:
        raise _invalid_secret()
    return key


def _invalid_secret() -> InvalidArgumentError:
    return InvalidArgumentError("The secret must be whsec_…, as the endpoint shows it.", code="invalid-secret")


def _header_of(headers: Any, name: str) -> str:
    # The headers of some frameworks are no Mapping.
    if not callable(getattr(headers, "items", None)):
        raise InvalidArgumentError("headers must be a mapping.", code="invalid-headers")
    value = next((value for key, value in headers.items() if isinstance(key, str) and key.lower() == name), None)
    if isinstance(value, (list, tuple)) and all(isinstance(part, str) for part in value):
        value = " ".join(value)
    if not isinstance(value, str) or value == "":
        raise _rejection("missing-header", f"The request has no {name} header.")
    return value


def _parse_signatures(header: str) -> list[bytes]:
    """Signatures of other versions are for other algorithms."""
    entries = [entry[len("v1,") :] for entry in header.split(" ") if entry.startswith("v1,")]
    if len(entries) > _MAX_SIGNATURES:
        raise _rejection("invalid-header", f"The request has more than {_MAX_SIGNATURES} signatures.")
    return [signature for signature in map(_decode_base64, entries) if signature is not None]


def _check_time(timestamp: str, now: float, tolerance_seconds: float) -> None:
    if not re.fullmatch("[0-9]{1,15}", timestamp):
        raise _rejection("invalid-header", "The webhook-timestamp is not a Unix time.")
    age_seconds = now - int(timestamp)
    if age_seconds > tolerance_seconds:
        raise _rejection("timestamp-too-old", "The request is too old.")
    if age_seconds < -tolerance_seconds:
        raise _rejection("timestamp-too-new", "The request is from the future. Check the clock of this machine.")


def _parse_event(message_id: str, body: bytes) -> WebhookEvent:
    try:
        event = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        event = None
    if isinstance(event, dict) and isinstance(event.get("type"), str) and isinstance(event.get("data"), dict):
        return cast(WebhookEvent, {**event, "id": message_id})
    raise _rejection("invalid-payload", "The body is signed, but it is not an event.")


def _decode_base64(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True) or None
    except (binascii.Error, ValueError):
        return None


def _rejection(code: str, message: str) -> WebhookVerificationError:
    return WebhookVerificationError(message, code=code)
