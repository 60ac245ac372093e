"""HTTP/1.1 without input and output: the sync and the async connections write and read these messages."""

from __future__ import annotations

import http.client
import io
import ssl
from typing import Any, Mapping, Optional
from urllib.parse import urlsplit

from ._call import Request, Response
from ._proxy import Proxy

#: A payment has at most 128 KiB as a request. This leaves room for what the platform adds.
_MAX_BODY_BYTES = 1024 * 1024
#: Chunks can be small, and each has a line of its own.
_MAX_BYTES = 4 * _MAX_BODY_BYTES
_MAX_HEAD_BYTES = 64 * 1024
_END_OF_HEAD = b"\r\n\r\n"
_PORTS = {"http": http.client.HTTP_PORT, "https": http.client.HTTPS_PORT}


class Route:
    """Where the connections of a client lead, and what they carry."""

    def __init__(self, base_url: str, proxy: Optional[Proxy]) -> None:
        parts = urlsplit(base_url)
        port = parts.port or _PORTS[parts.scheme]
        #: In ASCII, as certificates have it.
        self.server_name = (parts.hostname or "").encode("idna").decode()
        host = f"[{self.server_name}]" if ":" in self.server_name else self.server_name
        self._host_field = host if port == _PORTS[parts.scheme] else f"{host}:{port}"
        #: Verifies with the certificates of the system, or of ``SSL_CERT_FILE``.
        self.tls = ssl.create_default_context() if parts.scheme == "https" else None
        self.address = (proxy.host, proxy.port) if proxy else (self.server_name, port)
        #: The request that makes a proxy connect to the server; None without one.
        self.tunnel: Optional[bytes] = None
        #: A proxy without a tunnel gets the whole URL, and its credentials.
        self._target_prefix, self._proxy_headers = "", {}
        if proxy is not None and self.tls is not None:
            self.tunnel = _head(f"CONNECT {host}:{port}", {"Host": f"{host}:{port}", **proxy.headers})
        elif proxy is not None:
            self._target_prefix, self._proxy_headers = f"http://{self._host_field}", proxy.headers

    def message(self, request: Request) -> bytes:
        target = self._target_prefix + urlsplit(request.url).path
        headers = {"Host": self._host_field, **request.headers, **self._proxy_headers}
        if request.body is not None:
            headers["Content-Length"] = str(len(request.body))
        return _head(f"{request.method} {target}", headers) + (request.body or b"")


def _head(start: str, headers: Mapping[str, str]) -> bytes:
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{start} HTTP/1.1\r\n{fields}\r\n".encode("ascii")


class Reply:
    """The response to one request, from its bytes as they arrive."""

    #: Set once it is complete.
    response: Response
    #: Whether the connection can carry another request.
    is_reusable: bool

    def __init__(self, *, is_tunnel: bool = False) -> None:
        self._bytes = bytearray()
        self._is_tunnel = is_tunnel

    def feed(self, data: bytes) -> bool:
        """Takes the bytes that arrived, or none at the end of the connection; returns whether the response is complete.

        :raises http.client.HTTPException: for what cannot become a complete response
        """
        self._bytes += data
        if _END_OF_HEAD not in self._bytes:
            if not data:
                raise http.client.RemoteDisconnected("The server closed the connection without a response.")
            if len(self._bytes) > _MAX_HEAD_BYTES:
                raise http.client.HTTPException("The response has too long a head.")
            return False
        source = _Source(self._bytes)
        # To a HEAD and to a CONNECT, the response has no body.
        parsed = http.client.HTTPResponse(source, method="HEAD" if self._is_tunnel else None)  # type: ignore[arg-type]
        parsed.begin()
        body: Optional[bytes] = None
        if (parsed.length or 0) <= _MAX_BODY_BYTES and len(self._bytes) <= _MAX_BYTES:
            body = self._body(parsed, source, is_ended=not data)
            if body is None:
                return False
            if len(body) > _MAX_BODY_BYTES:
                body = None
        headers = {name.lower(): value for name, value in parsed.getheaders()}
        self.response = Response(parsed.status, headers, body)
        # Bytes behind the response are of no request, and must not become the response to the next one.
        self.is_reusable = body is not None and not source.has_more() and not parsed.will_close
        return True

    def _body(self, parsed: http.client.HTTPResponse, source: _Source, *, is_ended: bool) -> Optional[bytes]:
        """The body; None while a part is missing."""
        ends_with_connection = not parsed.chunked and parsed.length is None
        if ends_with_connection and not is_ended:
            return None
        try:
            body = parsed.read()
        except http.client.IncompleteRead:
            if is_ended:
                raise
            return None
        # http.client takes the first digit of a size such as 0a for the last chunk if the others are missing.
        is_cut = parsed.chunked and not source.has_more() and not self._bytes.endswith(_END_OF_HEAD)
        return None if is_cut and not is_ended else body


class _Source(io.BytesIO):
    """What http.client reads from in place of a socket. It stays open, to show what is behind the response."""

    def makefile(self, *_: Any) -> io.BytesIO:
        return self

    def close(self) -> None:
        pass

    def has_more(self) -> bool:
        return self.tell() < len(self.getbuffer())
