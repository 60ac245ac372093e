"""The clients of the Tollgate API."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Mapping
from typing import Any, Callable, Optional, cast

from ._arguments import check_timeout, is_int, to_json
from ._call import Call, Clock, Connection, ConnectionFailed, DeadlinePassed, Outcome, Response, Send, call
from ._proxy import proxy_of
from ._transport import Exchange
from ._url import split_url
from .errors import InvalidArgumentError
from .types import Payment

_DEFAULT_TIMEOUT = 60.0
_DEFAULT_MAX_RETRIES = 3
_API_KEY = re.compile(r"tg_(live|sandbox)_[A-Za-z0-9_]+")
#: Anything else could change the path of the request.
_PAYMENT_ID = re.compile(r"[A-Za-z0-9_]+")


class Tollgate:
    """A client of the Tollgate API.

    :param api_key: ``tg_sandbox_…`` or ``tg_live_…``. Keep it on the server.
    :param base_url: address of the environment, such as ``https://pay.example.com``
    :param timeout: deadline of a call in seconds, with all attempts and waits
    :param max_retries: how often a failed request is repeated at most
    :param proxy: HTTP proxy, such as ``http://proxy.example.com:3128``; by default the one that the environment names in
        ``HTTPS_PROXY``, ``HTTP_PROXY``, or ``ALL_PROXY``, except for the hosts in ``NO_PROXY``
    :raises InvalidArgumentError: for an option of another type or range
    """

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout: float = _DEFAULT_TIMEOUT,
        max_retries: int = _DEFAULT_MAX_RETRIES,
        proxy: Optional[str] = None,
        _clock: Optional[Clock] = None,
        _sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        #: ``sandbox`` or ``live``, as the key says.
        self.environment = _environment_of(api_key)
        connection = _connection(api_key, base_url, timeout, max_retries, proxy, _clock)
        self.payments = Payments(connection, lambda steps: _execute(steps, _sleep))


class AsyncTollgate:
    """Like ``Tollgate``, for asyncio. Requests run in the threads of the event loop's default executor."""

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout: float = _DEFAULT_TIMEOUT,
        max_retries: int = _DEFAULT_MAX_RETRIES,
        proxy: Optional[str] = None,
        _clock: Optional[Clock] = None,
        _sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        #: ``sandbox`` or ``live``, as the key says.
        self.environment = _environment_of(api_key)
        connection = _connection(api_key, base_url, timeout, max_retries, proxy, _clock)
        self.payments = AsyncPayments(connection, lambda steps: _execute_async(steps, _sleep))


class Payments:
    """The payments of the application to which the API key belongs."""

    def __init__(self, connection: Connection, execute: Callable[[Call], Any]) -> None:
        self._calls = _Calls(connection)
        self._execute = execute

    def create(
        self, params: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None
    ) -> Payment:
        """Creates a payment."""
        return cast(Payment, self._execute(self._calls.create(params, idempotency_key, timeout)))

    def retrieve(self, payment_id: str, *, timeout: Optional[float] = None) -> Payment:
        """Retrieves a payment."""
        return cast(Payment, self._execute(self._calls.retrieve(payment_id, timeout)))

    def cancel(
        self,
        payment_id: str,
        params: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Payment:
        """Cancels a payment that is still pending. A payment that is already canceled is returned unchanged."""
        return cast(Payment, self._execute(self._calls.cancel(payment_id, params, idempotency_key, timeout)))


class AsyncPayments:
    """The payments of the application to which the API key belongs."""

    def __init__(self, connection: Connection, execute: Callable[[Call], Awaitable[Any]]) -> None:
        self._calls = _Calls(connection)
        self._execute = execute

    async def create(
        self, params: Mapping[str, Any], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None
    ) -> Payment:
        """Creates a payment."""
        return cast(Payment, await self._execute(self._calls.create(params, idempotency_key, timeout)))

    async def retrieve(self, payment_id: str, *, timeout: Optional[float] = None) -> Payment:
        """Retrieves a payment."""
        return cast(Payment, await self._execute(self._calls.retrieve(payment_id, timeout)))

    async def cancel(
        self,
        payment_id: str,
        params: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Payment:
        """Cancels a payment that is still pending. A payment that is already canceled is returned unchanged."""
        steps = self._calls.cancel(payment_id, params, idempotency_key, timeout)
        return cast(Payment, await self._execute(steps))


class _Calls:
    """The calls that both clients execute."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(self, params: Mapping[str, Any], key: Optional[str], timeout: Optional[float]) -> Call:
        body = to_json(params)
        return call(self._connection, "/v1/payments", _is_payment, body=body, idempotency_key=key, timeout=timeout)

    def retrieve(self, payment_id: str, timeout: Optional[float]) -> Call:
        return call(self._connection, _path_of(payment_id), _is_payment_with(payment_id), timeout=timeout)

    def cancel(
        self, payment_id: str, params: Optional[Mapping[str, Any]], key: Optional[str], timeout: Optional[float]
    ) -> Call:
        path = f"{_path_of(payment_id)}/cancel"
        expected = _is_payment_with(payment_id)
        body = to_json({} if params is None else params)
        return call(self._connection, path, expected, body=body, idempotency_key=key, timeout=timeout)


def _execute(steps: Call, sleep: Callable[[float], object]) -> Any:
    outcome: Outcome = None
    while True:
        try:
            step = steps.send(outcome)
        except StopIteration as end:
            return end.value
        outcome = None
        if isinstance(step, Send):
            outcome = _outcome_of(Exchange(step.request, step.seconds))
        else:
            sleep(step.seconds)


async def _execute_async(steps: Call, sleep: Callable[[float], Awaitable[object]]) -> Any:
    outcome: Outcome = None
    while True:
        try:
            step = steps.send(outcome)
        except StopIteration as end:
            return end.value
        outcome = None
        if isinstance(step, Send):
            exchange = Exchange(step.request, step.seconds)
            try:
                outcome = await asyncio.to_thread(_outcome_of, exchange)
            except asyncio.CancelledError:
                exchange.stop()
                raise
        else:
            await sleep(step.seconds)


def _outcome_of(exchange: Exchange) -> Outcome:
    try:
        response: Response = exchange.run()
        return response
    except (ConnectionFailed, DeadlinePassed) as failure:
        return failure


def _environment_of(api_key: str) -> str:
    match = _API_KEY.fullmatch(api_key) if isinstance(api_key, str) else None
    if match is None:
        raise InvalidArgumentError(
            "api_key must be tg_sandbox_… or tg_live_…, without spaces or line breaks.", code="invalid-api-key"
        )
    return match.group(1)


def _connection(
    api_key: str, base_url: str, timeout: float, max_retries: int, proxy: Optional[str], clock: Optional[Clock]
) -> Connection:
    _check_base_url(base_url)
    check_timeout(timeout)
    if not is_int(max_retries) or max_retries < 0:
        raise InvalidArgumentError("max_retries must be an integer of 0 or more.", code="invalid-max-retries")
    address = base_url.rstrip("/")
    return Connection(api_key, address, timeout, max_retries, proxy_of(proxy, address), clock or Clock())


def _check_base_url(base_url: str) -> None:
    parts = split_url(base_url)
    is_http = parts is not None and parts.scheme in ("http", "https")
    if parts is None or not is_http or parts.username or parts.password or parts.query or parts.fragment:
        raise InvalidArgumentError(
            "base_url must be an http or https URL without credentials, query, and fragment.", code="invalid-base-url"
        )


def _path_of(payment_id: str) -> str:
    if isinstance(payment_id, str) and _PAYMENT_ID.fullmatch(payment_id):
        return f"/v1/payments/{payment_id}"
    raise InvalidArgumentError(
        "The payment id must be the `id` of a payment, such as pay_….", code="invalid-payment-id"
    )


def _is_payment(body: Any) -> bool:
    return isinstance(body, dict) and body.get("object") == "payment" and isinstance(body.get("id"), str)


def _is_payment_with(payment_id: str) -> Callable[[Any], bool]:
    """A proxy that confuses responses must not pass off one payment as another."""
    return lambda body: _is_payment(body) and body["id"] == payment_id
