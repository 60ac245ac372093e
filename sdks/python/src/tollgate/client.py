"""The clients of the Tollgate API."""

from __future__ import annotations

import asyncio
import re
import time
import weakref
from collections.abc import Awaitable
from types import TracebackType
from typing import Any, Callable, Optional, Self, cast

from ._arguments import check_timeout, is_int, to_json
from ._call import Call, Clock, Connection, ConnectionFailed, DeadlinePassed, Options, Outcome, Send, call
from ._http import Route
from ._proxy import proxy_of
from ._transport import AsyncPool, Pool
from ._url import split_url
from .errors import InvalidArgumentError
from .types import CancelPaymentParams, CreatePaymentParams, Payment

_DEFAULT_TIMEOUT = 60.0
#: Longer than the gateway waits for its services, so that its own response arrives.
_DEFAULT_ATTEMPT_TIMEOUT = 30.0
_DEFAULT_MAX_RETRIES = 3
_API_KEY = re.compile(r"tg_(live|sandbox)_[A-Za-z0-9_]+")
#: Anything else could change the path of the request.
_PAYMENT_ID = re.compile(r"[A-Za-z0-9_]+")


class Tollgate:
    """A client of the Tollgate API, for any number of threads. It keeps connections open: create one, and use it everywhere.

    :param api_key: ``tg_sandbox_…`` or ``tg_live_…``. Keep it on the server.
    :param base_url: address of the environment, such as ``https://pay.example.com``
    :param timeout: deadline of a call in seconds, with all attempts and waits
    :param attempt_timeout: time limit of each attempt in seconds, after which it is repeated
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
        attempt_timeout: float = _DEFAULT_ATTEMPT_TIMEOUT,
        max_retries: int = _DEFAULT_MAX_RETRIES,
        proxy: Optional[str] = None,
        _clock: Optional[Clock] = None,
        _sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        #: ``sandbox`` or ``live``, as the key says.
        self.environment = _environment_of(api_key)
        connection = _connection(api_key, base_url, timeout, attempt_timeout, max_retries, _clock)
        pool = Pool(Route(connection.base_url, proxy_of(proxy, connection.base_url)))
        self._close = weakref.finalize(self, pool.close)
        self.payments = Payments(connection, lambda steps: _execute(steps, pool, _sleep))

    def close(self) -> None:
        """Closes the connections that are idle. Python calls it when nothing refers to the client."""
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]
    ) -> None:
        self.close()


class AsyncTollgate:
    """Like ``Tollgate``, for asyncio. Close it with ``async with`` or ``aclose`` before its event loop ends."""

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout: float = _DEFAULT_TIMEOUT,
        attempt_timeout: float = _DEFAULT_ATTEMPT_TIMEOUT,
        max_retries: int = _DEFAULT_MAX_RETRIES,
        proxy: Optional[str] = None,
        _clock: Optional[Clock] = None,
        _sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        #: ``sandbox`` or ``live``, as the key says.
        self.environment = _environment_of(api_key)
        connection = _connection(api_key, base_url, timeout, attempt_timeout, max_retries, _clock)
        self._pool = AsyncPool(Route(connection.base_url, proxy_of(proxy, connection.base_url)))
        self.payments = AsyncPayments(connection, lambda steps: _execute_async(steps, self._pool, _sleep))

    async def aclose(self) -> None:
        """Closes the connections of this event loop that are idle."""
        await self._pool.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]
    ) -> None:
        await self.aclose()


class Payments:
    """The payments of the application to which the API key belongs."""

    def __init__(self, connection: Connection, execute: Callable[[Call], Any]) -> None:
        self._calls = _Calls(connection)
        self._execute = execute

    def create(
        self,
        params: CreatePaymentParams,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        attempt_timeout: Optional[float] = None,
        wait_for_action: bool = False,
    ) -> Payment:
        """Creates a payment. Returns it with the first reply of its processor, if that comes in time.

        :param wait_for_action: waits up to 10 seconds for that reply, in place of one second. The payment then has
            ``next_action`` if the payer must act.
        """
        options = Options(idempotency_key, timeout, attempt_timeout, wait_for_action)
        return cast(Payment, self._execute(self._calls.create(params, options)))

    def retrieve(
        self, payment_id: str, *, timeout: Optional[float] = None, attempt_timeout: Optional[float] = None
    ) -> Payment:
        """Retrieves a payment."""
        options = Options(None, timeout, attempt_timeout)
        return cast(Payment, self._execute(self._calls.retrieve(payment_id, options)))

    def cancel(
        self,
        payment_id: str,
        params: Optional[CancelPaymentParams] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        attempt_timeout: Optional[float] = None,
    ) -> Payment:
        """Cancels a payment that is still pending. A payment that is already canceled is returned unchanged."""
        options = Options(idempotency_key, timeout, attempt_timeout)
        return cast(Payment, self._execute(self._calls.cancel(payment_id, params, options)))


class AsyncPayments:
    """The payments of the application to which the API key belongs."""

    def __init__(self, connection: Connection, execute: Callable[[Call], Awaitable[Any]]) -> None:
        self._calls = _Calls(connection)
        self._execute = execute

    async def create(
        self,
        params: CreatePaymentParams,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        attempt_timeout: Optional[float] = None,
        wait_for_action: bool = False,
    ) -> Payment:
        """Creates a payment. Returns it with the first reply of its processor, if that comes in time.

        :param wait_for_action: waits up to 10 seconds for that reply, in place of one second. The payment then has
            ``next_action`` if the payer must act.
        """
        options = Options(idempotency_key, timeout, attempt_timeout, wait_for_action)
        return cast(Payment, await self._execute(self._calls.create(params, options)))

    async def retrieve(
        self, payment_id: str, *, timeout: Optional[float] = None, attempt_timeout: Optional[float] = None
    ) -> Payment:
        """Retrieves a payment."""
        options = Options(None, timeout, attempt_timeout)
        return cast(Payment, await self._execute(self._calls.retrieve(payment_id, options)))

    async def cancel(
        self,
        payment_id: str,
        params: Optional[CancelPaymentParams] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        attempt_timeout: Optional[float] = None,
    ) -> Payment:
        """Cancels a payment that is still pending. A payment that is already canceled is returned unchanged."""
        options = Options(idempotency_key, timeout, attempt_timeout)
        return cast(Payment, await self._execute(self._calls.cancel(payment_id, params, options)))


class _Calls:
    """The calls that both clients execute."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(self, params: CreatePaymentParams, options: Options) -> Call:
        return call(self._connection, "/v1/payments", _is_payment, options, body=to_json(params))

    def retrieve(self, payment_id: str, options: Options) -> Call:
        return call(self._connection, _path_of(payment_id), _is_payment_with(payment_id), options)

    def cancel(self, payment_id: str, params: Optional[CancelPaymentParams], options: Options) -> Call:
        path = f"{_path_of(payment_id)}/cancel"
        body = to_json({} if params is None else params)
        return call(self._connection, path, _is_payment_with(payment_id), options, body=body)


def _execute(steps: Call, pool: Pool, sleep: Callable[[float], object]) -> Any:
    outcome: Outcome = None
    while True:
        try:
            step = steps.send(outcome)
        except StopIteration as end:
            return end.value
        outcome = None
        if isinstance(step, Send):
            try:
                outcome = pool.exchange(step.request, step.seconds)
            except (ConnectionFailed, DeadlinePassed) as failure:
                outcome = failure
        else:
            sleep(step.seconds)


async def _execute_async(steps: Call, pool: AsyncPool, sleep: Callable[[float], Awaitable[object]]) -> Any:
    outcome: Outcome = None
    while True:
        try:
            step = steps.send(outcome)
        except StopIteration as end:
            return end.value
        outcome = None
        if isinstance(step, Send):
            try:
                outcome = await pool.exchange(step.request, step.seconds)
            except (ConnectionFailed, DeadlinePassed) as failure:
                outcome = failure
        else:
            await sleep(step.seconds)


def _environment_of(api_key: str) -> str:
    match = _API_KEY.fullmatch(api_key) if isinstance(api_key, str) else None
    if match is None:
        raise InvalidArgumentError(
            "api_key must be tg_sandbox_… or tg_live_…, without spaces or line breaks.", code="invalid-api-key"
        )
    return match.group(1)


def _connection(
    api_key: str, base_url: str, timeout: float, attempt_timeout: float, max_retries: int, clock: Optional[Clock]
) -> Connection:
    _check_base_url(base_url)
    check_timeout("timeout", timeout)
    check_timeout("attempt_timeout", attempt_timeout)
    if not is_int(max_retries) or max_retries < 0:
        raise InvalidArgumentError("max_retries must be an integer of 0 or more.", code="invalid-max-retries")
    return Connection(api_key, base_url.rstrip("/"), timeout, attempt_timeout, max_retries, clock or Clock())


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
