"""The connections of a client. Each request gets one that is idle, or a new one, and a response until its deadline."""

from __future__ import annotations

import asyncio
import http.client
import os
import selectors
import socket
import ssl
import time
from collections import deque
from collections.abc import Callable
from typing import Generic, Optional, Protocol, TypeVar, Union, cast

from ._call import ConnectionFailed, DeadlinePassed, Request, Response
from ._http import Reply, Route

_READ_BYTES = 64 * 1024
#: Shorter than servers and load balancers keep an idle connection.
_LONGEST_IDLE = 4.0


class Pool:
    """Sends requests of any threads."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._idle: _Idle[int, _Connection] = _Idle(is_gone=lambda process: process != os.getpid())

    def exchange(self, request: Request, seconds: float) -> Response:
        """
        :raises DeadlinePassed, ConnectionFailed: without a complete response
        """
        process, deadline = os.getpid(), time.monotonic() + seconds
        try:
            connection = self._idle.take(process) or _Connection(self._route, deadline)
            try:
                reply = connection.exchange(self._route.message(request), Reply(), deadline)
            except BaseException:
                connection.close()
                raise
        except (OSError, http.client.HTTPException) as error:
            raise _failure_of(error) from None
        self._idle.put(process, connection, reply)
        return reply.response

    def close(self) -> None:
        self._idle.close(os.getpid())


class AsyncPool:
    """Sends requests of any event loops, without threads."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._idle: _Idle[asyncio.AbstractEventLoop, _AsyncConnection] = _Idle(is_gone=lambda loop: loop.is_closed())

    async def exchange(self, request: Request, seconds: float) -> Response:
        """
        :raises DeadlinePassed, ConnectionFailed: without a complete response
        """
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(seconds):
                connection = self._idle.take(loop) or await _open(self._route, loop)
                try:
                    reply = await connection.exchange(self._route.message(request), Reply())
                except BaseException:
                    connection.close()
                    raise
        except (OSError, http.client.HTTPException) as error:
            raise _failure_of(error) from None
        self._idle.put(loop, connection, reply)
        return reply.response

    async def close(self) -> None:
        self._idle.close(asyncio.get_running_loop())
        # The event loop closes the sockets in its next turn.
        await asyncio.sleep(0)


class _AnyConnection(Protocol):
    def is_usable(self) -> bool: ...
    def close(self) -> None: ...


_Owner = TypeVar("_Owner")
_Kind = TypeVar("_Kind", bound=_AnyConnection)


class _Idle(Generic[_Owner, _Kind]):
    """Connections between two requests. Only the process or event loop that opened one can use it.

    A deque needs no lock.
    """

    def __init__(self, is_gone: Callable[[_Owner], bool]) -> None:
        self._is_gone = is_gone
        self._entries: dict[_Owner, deque[tuple[float, _Kind]]] = {}

    def take(self, owner: _Owner) -> Optional[_Kind]:
        for other in tuple(self._entries):
            if self._is_gone(other):
                self._entries.pop(other, None)
        entries = self._entries.setdefault(owner, deque())
        try:
            while entries[0][0] < time.monotonic() - _LONGEST_IDLE:
                entries.popleft()[1].close()
            while True:
                _, connection = entries.pop()
                if connection.is_usable():
                    return connection
                connection.close()
        except IndexError:
            return None

    def put(self, owner: _Owner, connection: _Kind, reply: Reply) -> None:
        if reply.is_reusable:
            self._entries.setdefault(owner, deque()).append((time.monotonic(), connection))
        else:
            connection.close()

    def close(self, owner: _Owner) -> None:
        for _, connection in self._entries.pop(owner, ()):
            connection.close()


class _Connection:
    def __init__(self, route: Route, deadline: float) -> None:
        self._socket = socket.create_connection(route.address, _seconds_until(deadline))
        try:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if route.tunnel is not None:
                _check_tunnel(self.exchange(route.tunnel, Reply(is_tunnel=True), deadline))
            if route.tls is not None:
                self._socket.settimeout(_seconds_until(deadline))
                self._socket = route.tls.wrap_socket(self._socket, server_hostname=route.server_name)
        except BaseException:
            self.close()
            raise

    def exchange(self, message: bytes, reply: Reply, deadline: float) -> Reply:
        self._socket.settimeout(_seconds_until(deadline))
        self._socket.sendall(message)
        while True:
            # The timeout of a socket starts anew with each read: a server that sends a byte now and then would never reach it.
            self._socket.settimeout(_seconds_until(deadline))
            if reply.feed(self._socket.recv(_READ_BYTES)):
                return reply

    def is_usable(self) -> bool:
        has_decrypted = isinstance(self._socket, ssl.SSLSocket) and self._socket.pending() > 0
        return not has_decrypted and _has_nothing_to_read(self._socket)

    def close(self) -> None:
        self._socket.close()


async def _open(route: Route, loop: asyncio.AbstractEventLoop) -> _AsyncConnection:
    is_tunneled = route.tunnel is not None
    tls, name = (None, None) if is_tunneled or route.tls is None else (route.tls, route.server_name)
    _, connection = await loop.create_connection(_AsyncConnection, *route.address, ssl=tls, server_hostname=name)
    if route.tunnel is not None and route.tls is not None:
        try:
            _check_tunnel(await connection.exchange(route.tunnel, Reply(is_tunnel=True)))
            await connection.start_tls(route, loop)
        except BaseException:
            connection.close()
            raise
    return connection


class _AsyncConnection(asyncio.Protocol):
    _transport: asyncio.Transport
    _reply: Optional[Reply] = None
    _completed: asyncio.Future[None]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # The transports of uvloop extend no class of asyncio.
        self._transport = cast(asyncio.Transport, transport)

    async def start_tls(self, route: Route, loop: asyncio.AbstractEventLoop) -> None:
        assert route.tls is not None
        transport = await loop.start_tls(self._transport, self, route.tls, server_hostname=route.server_name)
        self._transport = cast(asyncio.Transport, transport)

    async def exchange(self, message: bytes, reply: Reply) -> Reply:
        self._reply, self._completed = reply, asyncio.get_running_loop().create_future()
        self._transport.write(message)
        await self._completed
        return reply

    def data_received(self, data: bytes) -> None:
        self._feed(data)

    def eof_received(self) -> None:
        self._feed(b"")

    def connection_lost(self, error: Optional[Exception]) -> None:
        self._feed(b"", error)

    def _feed(self, data: bytes, error: Optional[Exception] = None) -> None:
        if self._reply is None:
            # The server has closed the connection, or has sent what no request asked for.
            self.close()
            return
        try:
            if error is not None:
                raise error
            if not self._reply.feed(data):
                return
        except Exception as failure:
            self._end(failure)
        else:
            self._end(None)

    def _end(self, failure: Optional[Exception]) -> None:
        self._reply = None
        if self._completed.done():
            return
        if failure is None:
            self._completed.set_result(None)
        else:
            self._completed.set_exception(failure)

    def is_usable(self) -> bool:
        # The event loop may not have read yet what is there.
        return not self._transport.is_closing() and _has_nothing_to_read(self._transport.get_extra_info("socket"))

    def close(self) -> None:
        self._transport.abort()


def _has_nothing_to_read(idle: socket.socket) -> bool:
    """Something to read between two requests is the end of the connection, or bytes that no request asked for."""
    with selectors.DefaultSelector() as selector:
        selector.register(idle, selectors.EVENT_READ)
        return not selector.select(0)


def _check_tunnel(reply: Reply) -> None:
    status = reply.response.status
    if status != http.client.OK:
        raise http.client.HTTPException(f"The proxy responded to CONNECT with status {status}.")


def _seconds_until(deadline: float) -> float:
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


def _failure_of(error: Exception) -> Union[ConnectionFailed, DeadlinePassed]:
    # With a number, the operating system has given up a connection, and the deadline has not passed.
    if isinstance(error, TimeoutError) and error.errno is None:
        return DeadlinePassed()
    return ConnectionFailed(str(error) or type(error).__name__)
