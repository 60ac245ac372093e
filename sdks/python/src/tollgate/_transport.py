"""Sends one request over a connection of its own, and reads its response until a deadline."""

from __future__ import annotations

import http.client
import socket
import threading
from typing import Optional, Union
from urllib.parse import urlsplit

from ._call import ConnectionFailed, DeadlinePassed, Request, Response

#: A payment has at most 128 KiB as a request. This leaves room for what the platform adds.
_MAX_RESPONSE_BYTES = 1024 * 1024
_READ_BYTES = 64 * 1024
#: Zero would mean a socket that does not wait at all.
_SHORTEST_TIMEOUT = 0.001

HTTPConnection = Union[http.client.HTTPConnection, http.client.HTTPSConnection]


class Exchange:
    """One request and its response. Another thread can stop it."""

    def __init__(self, request: Request, seconds: float) -> None:
        self._request = request
        self._seconds = seconds
        self._connection = _connection_to(request, seconds)
        #: Kept apart, because http.client forgets it before the response is read.
        self._socket: Optional[socket.socket] = None
        self._is_stopped = False

    def run(self) -> Response:
        """
        :raises DeadlinePassed, ConnectionFailed: without a complete response
        """
        if self._seconds <= 0:
            raise DeadlinePassed
        # The timeout of a socket starts anew with each read, so a server that sends a byte now and then would never reach it.
        timer = threading.Timer(self._seconds, self.stop)
        timer.daemon = True
        timer.start()
        try:
            return self._exchange()
        except (OSError, http.client.HTTPException) as error:
            if self._is_stopped or isinstance(error, socket.timeout):
                raise DeadlinePassed from None
            raise ConnectionFailed(_reason_of(error)) from None
        finally:
            timer.cancel()
            self._connection.close()

    def stop(self) -> None:
        """Ends the exchange without a response."""
        self._is_stopped = True
        # While the connection is being established, for example through a proxy, only http.client has its socket.
        open_socket = self._socket or self._connection.sock
        if open_socket is not None:
            try:
                open_socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _exchange(self) -> Response:
        self._connection.connect()
        self._socket = self._connection.sock
        if self._is_stopped:
            raise DeadlinePassed
        target, headers = _target_of(self._request)
        self._connection.request(self._request.method, target, body=self._request.body, headers=headers)
        with self._connection.getresponse() as response:
            body = self._read(response)
            if self._is_stopped:
                raise DeadlinePassed
            headers = {name.lower(): value for name, value in response.getheaders()}
            return Response(response.status, headers, body)

    def _read(self, response: http.client.HTTPResponse) -> Optional[bytes]:
        """The body; None if it is longer than the limit, of which no more than that is read."""
        chunks: list[bytes] = []
        size = 0
        while True:
            chunk = response.read(_READ_BYTES)
            if not chunk:
                break
            size += len(chunk)
            if size > _MAX_RESPONSE_BYTES:
                return None
            chunks.append(chunk)
        # http.client ends a short body without an error.
        if response.length:
            raise http.client.IncompleteRead(b"", response.length)
        return b"".join(chunks)


def _connection_to(request: Request, seconds: float) -> HTTPConnection:
    parts, proxy = urlsplit(request.url), request.proxy
    host, port, timeout = parts.hostname or "", parts.port, max(seconds, _SHORTEST_TIMEOUT)
    if parts.scheme != "https":
        return http.client.HTTPConnection(
            proxy.host if proxy else host, proxy.port if proxy else port, timeout=timeout
        )
    if proxy is None:
        return http.client.HTTPSConnection(host, port, timeout=timeout)
    connection = http.client.HTTPSConnection(proxy.host, proxy.port, timeout=timeout)
    connection.set_tunnel(host, port or http.client.HTTPS_PORT, proxy.headers)
    return connection


def _target_of(request: Request) -> tuple[str, dict[str, str]]:
    """The target and the headers of the request line. A proxy without a tunnel gets the whole URL, and its credentials."""
    parts = urlsplit(request.url)
    if request.proxy is None or parts.scheme == "https":
        return parts.path, dict(request.headers)
    return request.url, {**request.headers, **request.proxy.headers}


def _reason_of(error: BaseException) -> str:
    return str(error) or type(error).__name__
