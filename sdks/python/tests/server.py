"""A server of payments in the process of the test, which sees connections and can be a proxy."""

from __future__ import annotations

import json
import re
import socketserver
import ssl
import threading
import unittest
from typing import Any, Optional

from cases import read

FILE = read("requests.json")


class Server(socketserver.ThreadingTCPServer):
    """Responds to each request with the payment of its path, and keeps the connection open.

    It never responds about ``pay_hung``.
    """

    daemon_threads = True
    #: Whether the server closes a connection after each response, without a header that says so.
    is_closing = False
    #: Status of the response to a CONNECT.
    tunnel_status = "200 OK"

    def __init__(self, test: unittest.TestCase, *, tls: Optional[ssl.SSLContext] = None, is_proxy: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.tls, self.is_proxy = tls, is_proxy
        self.connections = 0
        #: The lines of the head of each request.
        self.heads: list[list[str]] = []
        #: One for each connection that has ended.
        self.ended = threading.Semaphore(0)
        self.address = f"127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()
        test.addCleanup(self.server_close)
        test.addCleanup(self.shutdown)

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        self.ended.release()

    def handle_error(self, *_: Any) -> None:
        """Clients of the tests disconnect at any time."""


class _Handler(socketserver.StreamRequestHandler):
    server: Server

    def handle(self) -> None:
        self.server.connections += 1
        if not self.server.is_proxy:
            self._start_tls()
        while head := self._read_head():
            self.server.heads.append(head)
            if head[0].startswith("CONNECT"):
                self.wfile.write(f"HTTP/1.1 {self.server.tunnel_status}\r\n\r\n".encode())
                self._start_tls()
            elif "pay_hung" in head[0]:
                self.rfile.read()
            else:
                self._respond(head)
                if self.server.is_closing:
                    return

    def finish(self) -> None:
        super().finish()
        self.request.close()

    def _start_tls(self) -> None:
        if self.server.tls is not None:
            self.request = self.server.tls.wrap_socket(self.request, server_side=True)
            self.setup()

    def _read_head(self) -> list[str]:
        head = []
        while (line := self.rfile.readline().decode().strip()) != "":
            head.append(line)
        return head

    def _respond(self, head: list[str]) -> None:
        length = re.search(r"^content-length: (\d+)$", "\n".join(head), re.IGNORECASE | re.MULTILINE)
        self.rfile.read(int(length[1]) if length else 0)
        requested = re.search(r"/v1/payments/(\w+)", head[0])
        payment = {**FILE["examples"]["payment"], **({"id": requested[1]} if requested else {})}
        body = json.dumps(payment).encode()
        fields = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self.wfile.write(b"HTTP/1.1 200 OK\r\n" + fields.encode() + body)
