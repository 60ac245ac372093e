"""What a call does, without any input or output: the sync and the async client execute its steps."""

from __future__ import annotations

import json
import platform
import random
import re
import time
import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from importlib import metadata
from typing import Any, Callable, Optional, Union

from ._arguments import check_timeout
from .errors import (
    APIConnectionError,
    APITimeoutError,
    AuthenticationError,
    ConflictError,
    InvalidArgumentError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    TollgateError,
    UnexpectedResponseError,
)

#: The first wait is at most this long; the limit doubles with every attempt.
_FIRST_BACKOFF = 0.5
_LONGEST_BACKOFF = 8.0
#: A server that asks for a longer wait is not asked again within the call: a job queue waits better.
_LONGEST_RETRY_AFTER = 60.0
#: Visible ASCII; the length is the limit of the gateway.
_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_JSON_TYPE = re.compile(r"application/(problem\+)?json *(;.*)?", re.IGNORECASE | re.DOTALL)
_FIRST_REJECTION = 400
#: Of the API, for the reply of a processor.
_LONGEST_WAIT = "wait=10"

def _version() -> str:
    try:
        return metadata.version("tollgate")
    except metadata.PackageNotFoundError:
        return "development"


#: Names the package and the runtime, for the access logs between the application and Tollgate.
_USER_AGENT = f"tollgate-python/{_version()} Python/{platform.python_version()}"


@dataclass(frozen=True)
class Clock:
    """Time and chance, so that tests neither wait nor guess."""

    #: Seconds. Monotonic, so that a corrected system clock moves no deadline.
    now: Callable[[], float] = time.monotonic
    #: From 0 to 1.
    random: Callable[[], float] = random.random


@dataclass(frozen=True)
class Connection:
    """What all calls of a client have in common."""

    #: Not shown, so that nothing that prints it reveals it.
    api_key: str = field(repr=False)
    base_url: str
    timeout: float
    attempt_timeout: float
    max_retries: int
    clock: Clock


@dataclass(frozen=True)
class Options:
    """What the caller of a method may set; None stands for the default."""

    idempotency_key: Optional[str]
    timeout: Optional[float]
    attempt_timeout: Optional[float]
    wait_for_action: bool = False


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    #: Contains the API key.
    headers: Mapping[str, str] = field(repr=False)
    body: Optional[bytes] = field(repr=False)
    idempotency_key: Optional[str]


@dataclass(frozen=True)
class Response:
    status: int
    #: Names in lowercase.
    headers: Mapping[str, str]
    #: None if it is longer than the limit.
    body: Optional[bytes]


@dataclass(frozen=True)
class Send:
    """Step: send the request, and send the response within these seconds, or the exception, into the call."""

    request: Request
    seconds: float


@dataclass(frozen=True)
class Sleep:
    """Step: wait."""

    seconds: float


class ConnectionFailed(Exception):
    """No complete response arrived."""


class DeadlinePassed(Exception):
    """No complete response arrived in time."""


Step = Union[Send, Sleep]
Outcome = Union[Response, ConnectionFailed, DeadlinePassed, None]
Call = Generator[Step, Outcome, Any]


def call(
    connection: Connection,
    path: str,
    is_expected: Callable[[Any], bool],
    options: Options,
    *,
    body: Optional[bytes] = None,
) -> Call:
    """Repeats a request until it succeeds, may not be repeated, or the deadline is too close for another attempt.

    ``body`` is JSON, and makes it a POST.
    """
    timeout = _timeout_of("timeout", options.timeout, connection.timeout)
    attempt_timeout = _timeout_of("attempt_timeout", options.attempt_timeout, connection.attempt_timeout)
    request = _build_request(connection, path, body, options)
    clock = connection.clock
    deadline = clock.now() + timeout
    attempts = 0
    while True:
        attempts += 1
        remaining = deadline - clock.now()
        limit = min(attempt_timeout, remaining)
        outcome = yield Send(request, limit)
        if isinstance(outcome, DeadlinePassed):
            result = _timed_out(request, limit, is_retryable=limit < remaining)
        else:
            result = _evaluate(outcome, request, connection, is_expected)
        if not isinstance(result, _Failed):
            return result
        if not result.is_retryable or attempts > connection.max_retries:
            raise result.error
        wait = _next_wait(attempts, result.error.retry_after, clock.random)
        # An error that says what is wrong helps more than a timeout later.
        if wait is None or clock.now() + wait >= deadline:
            raise result.error
        yield Sleep(wait)


def _timeout_of(name: str, of_call: Optional[float], of_client: float) -> float:
    return of_client if of_call is None else check_timeout(name, of_call)


@dataclass(frozen=True)
class _Failed:
    error: TollgateError
    is_retryable: bool


def _build_request(connection: Connection, path: str, body: Optional[bytes], options: Options) -> Request:
    """What all attempts send: they share the idempotency key."""
    url = connection.base_url + path
    headers = {
        "Accept": "application/json",
        "Authorization": f"Bearer {connection.api_key}",
        "User-Agent": _USER_AGENT,
    }
    if body is None:
        return Request("GET", url, headers, None, None)
    if not isinstance(options.wait_for_action, bool):
        raise InvalidArgumentError("wait_for_action must be True or False.", code="invalid-options")
    key = str(uuid.uuid4()) if options.idempotency_key is None else options.idempotency_key
    if not isinstance(key, str) or not _IDEMPOTENCY_KEY.fullmatch(key):
        raise InvalidArgumentError(
            "idempotency_key must be a text of 1 to 255 visible ASCII characters.", code="invalid-idempotency-key"
        )
    headers.update({"Content-Type": "application/json", "Idempotency-Key": key})
    if options.wait_for_action:
        headers["Prefer"] = _LONGEST_WAIT
    return Request("POST", url, headers, body, key)


def _timed_out(request: Request, limit: float, *, is_retryable: bool) -> _Failed:
    message = f"No complete response arrived within {round(limit, 2):g} s. The request may have been processed."
    error = APITimeoutError(message, code="timeout", idempotency_key=request.idempotency_key)
    return _Failed(error, is_retryable)


def _evaluate(
    outcome: Outcome, request: Request, connection: Connection, is_expected: Callable[[Any], bool]
) -> Any:
    key = request.idempotency_key
    if isinstance(outcome, ConnectionFailed):
        message = f"The connection to {connection.base_url} failed: {outcome}"
        return _Failed(APIConnectionError(message, code="connection-failed", idempotency_key=key), is_retryable=True)
    assert isinstance(outcome, Response)
    status, headers = outcome.status, outcome.headers
    is_success = 200 <= status < 300
    body = _parse_json(headers, outcome.body, None if is_success else connection.api_key)
    if is_success and is_expected(body):
        return body
    problem = None if is_success else _as_problem(body)
    error = _error_of(status, problem, headers, key)
    return _Failed(error, is_retryable=status >= _FIRST_REJECTION and _should_retry(status, headers, problem))


def _parse_json(headers: Mapping[str, str], body: Optional[bytes], api_key: Optional[str]) -> Any:
    """The parsed body; None if it is not JSON. A server that reflects the request must not put the key into an error."""
    if body is None or not _JSON_TYPE.fullmatch(headers.get("content-type", "").strip()):
        return None
    text = body.decode("utf-8", "replace")
    try:
        return json.loads(text if api_key is None else text.replace(api_key, "[API key]"))
    except (ValueError, RecursionError):
        return None


def _as_problem(body: Any) -> Optional[dict[str, Any]]:
    """The problem in the body of an error; None for anything else, such as the page of a proxy."""
    members = ("code", "detail", "title")
    is_problem = isinstance(body, dict) and all(isinstance(body.get(member), str) for member in members)
    return body if is_problem else None


_CLASSES: dict[int, type[TollgateError]] = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    408: APITimeoutError,
    409: ConflictError,
    429: RateLimitError,
}


def _error_of(
    status: int, problem: Optional[dict[str, Any]], headers: Mapping[str, str], idempotency_key: Optional[str]
) -> TollgateError:
    request_id = headers.get("x-request-id") or (problem or {}).get("request_id")
    suffix = f" (request {request_id})" if request_id else ""
    if problem is not None:
        message = f"{problem['title']}: {' '.join([problem['detail'], *_field_sentences(problem)])}{suffix}"
    else:
        message = (
            f"The response with status {status} is not in the format of the API."
            f" Check base_url, and the proxies in between.{suffix}"
        )
    return _class_of(status, problem)(
        message,
        code=problem["code"] if problem is not None else "unexpected-response",
        status=status,
        request_id=request_id,
        problem=problem,
        idempotency_key=idempotency_key,
        retry_after=_retry_after(headers),
    )


def _field_sentences(problem: dict[str, Any]) -> list[str]:
    """``/amount: This must be a number.`` for each field of the request that the API rejected."""
    errors = problem.get("errors")
    fields = [error for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []
    return [
        f"{field.get('pointer') or field.get('header') or field.get('parameter')}: {field.get('detail')}" for field in fields
    ]


def _class_of(status: int, problem: Optional[dict[str, Any]]) -> type[TollgateError]:
    if status >= 500:
        return ServerError
    # A page of a proxy says nothing about the key or the payment. Only 408 and 429 mean the same wherever they come from.
    if status < _FIRST_REJECTION or (problem is None and status not in (408, 429)):
        return UnexpectedResponseError
    if problem is not None and problem["code"] == "payment-not-found":
        return NotFoundError
    return _CLASSES.get(status, InvalidRequestError)


def _should_retry(status: int, headers: Mapping[str, str], problem: Optional[dict[str, Any]]) -> bool:
    """The server knows best and says so in ``X-Should-Retry`` and ``retryable``; proxies in front of it say nothing.

    Repeating is safe, because every POST has a key.
    """
    advice = headers.get("x-should-retry")
    if advice not in ("true", "false"):
        retryable = (problem or {}).get("retryable") if advice is None else None
        if isinstance(retryable, bool):
            return retryable
        return status in (408, 429) or status >= 500
    return advice == "true"


def _retry_after(headers: Mapping[str, str]) -> Optional[float]:
    """The wait that ``Retry-After`` demands, in seconds or as an HTTP date; None without a valid one."""
    value = headers.get("retry-after", "").strip()
    if re.fullmatch("[0-9]{1,15}", value):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _next_wait(failed_attempts: int, demanded: Optional[float], chance: Callable[[], float]) -> Optional[float]:
    """Seconds until the next attempt; None if the server asked for too long a wait.

    Full jitter spreads clients that failed at the same time, also after a demanded wait.
    """
    if demanded is not None and demanded > _LONGEST_RETRY_AFTER:
        return None
    backoff = min(_LONGEST_BACKOFF, _FIRST_BACKOFF * 2.0 ** (failed_attempts - 1))
    return (demanded or 0.0) + chance() * backoff
