"""The connections of both clients: which requests they carry, and when they end."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from cases import read
from server import Server
from tollgate import APIConnectionError, APITimeoutError, AsyncTollgate, Tollgate

API_KEY = read("requests.json")["api_key"]


def retrieve(base_url: str, times: int = 1, after_each: Callable[[], object] = int, **options: Any) -> None:
    with Tollgate(api_key=API_KEY, base_url=base_url, max_retries=0, **options) as tollgate:
        for _ in range(times):
            assert tollgate.payments.retrieve("pay_1")["id"] == "pay_1"
            after_each()


def retrieve_async(base_url: str, times: int = 1, after_each: Callable[[], object] = int, **options: Any) -> None:
    async def run() -> None:
        async with AsyncTollgate(api_key=API_KEY, base_url=base_url, max_retries=0, **options) as tollgate:
            for _ in range(times):
                assert (await tollgate.payments.retrieve("pay_1"))["id"] == "pay_1"
                after_each()

    asyncio.run(run())


BOTH: tuple[Callable[..., None], ...] = (retrieve, retrieve_async)


def wait_for_end_at(server: Server) -> None:
    assert server.ended.acquire(timeout=10)


class Connections(unittest.TestCase):
    def test_one_carries_all_calls_in_a_row(self) -> None:
        for run in BOTH:
            with self.subTest(run.__name__):
                server = Server(self)
                run(f"http://{server.address}", times=50)
                self.assertEqual((len(server.heads), server.connections), (50, 1))

    def test_one_that_the_server_closed_carries_no_request(self) -> None:
        for run in BOTH:
            with self.subTest(run.__name__):
                server = Server(self)
                server.is_closing = True
                run(f"http://{server.address}", times=5, after_each=lambda: wait_for_end_at(server))
                self.assertEqual((len(server.heads), server.connections), (5, 5))

    def test_one_that_was_idle_for_long_is_closed(self) -> None:
        for run in BOTH:
            with self.subTest(run.__name__), mock.patch("tollgate._transport._LONGEST_IDLE", 0):
                server = Server(self)
                run(f"http://{server.address}", times=3)
                self.assertEqual((len(server.heads), server.connections), (3, 3))
                for _ in range(3):
                    wait_for_end_at(server)

    def test_are_closed_with_the_client(self) -> None:
        for run in BOTH:
            with self.subTest(run.__name__):
                server = Server(self)
                run(f"http://{server.address}")
                wait_for_end_at(server)

    @unittest.skipUnless(hasattr(os, "fork"), "needs os.fork")
    def test_of_a_process_are_not_those_of_its_fork(self) -> None:
        server = Server(self)
        # A process of its own, because the threads of this one are not in a fork.
        script = f"""
import os
from tollgate import Tollgate

tollgate = Tollgate(api_key={API_KEY!r}, base_url="http://{server.address}", max_retries=0)
tollgate.payments.retrieve("pay_1")
child = os.fork()
tollgate.payments.retrieve("pay_1")
if child:
    assert os.waitpid(child, 0)[1] == 0
    tollgate.payments.retrieve("pay_1")
"""
        subprocess.run([sys.executable, "-c", script], check=True)
        self.assertEqual((len(server.heads), server.connections), (4, 2))

    def test_of_an_event_loop_are_not_those_of_the_next(self) -> None:
        server = Server(self)
        tollgate = AsyncTollgate(api_key=API_KEY, base_url=f"http://{server.address}", max_retries=0)

        async def run() -> None:
            await tollgate.payments.retrieve("pay_1")
            await tollgate.payments.retrieve("pay_1")

        with warnings.catch_warnings():
            # The first event loop ends with an open connection.
            warnings.simplefilter("ignore", ResourceWarning)
            asyncio.run(run())
            asyncio.run(run())
            del tollgate
            gc.collect()
        self.assertEqual((len(server.heads), server.connections), (4, 2))


class Concurrency(unittest.TestCase):
    def test_a_call_does_not_wait_for_hung_calls(self) -> None:
        server = Server(self)
        hung = 50

        async def run() -> None:
            async with AsyncTollgate(api_key=API_KEY, base_url=f"http://{server.address}") as tollgate:
                tasks = [asyncio.create_task(tollgate.payments.retrieve("pay_hung")) for _ in range(hung)]
                while len(server.heads) < hung:
                    await asyncio.sleep(0.01)
                await tollgate.payments.retrieve("pay_1")
                self.assertFalse(any(task.done() for task in tasks))
                for task in tasks:
                    task.cancel()
                ends = await asyncio.gather(*tasks, return_exceptions=True)
                self.assertEqual({type(end) for end in ends}, {asyncio.CancelledError})

        asyncio.run(asyncio.wait_for(run(), 30))
        for _ in range(hung):
            wait_for_end_at(server)


class Deadline(unittest.TestCase):
    def test_ends_a_response_of_which_a_byte_comes_now_and_then(self) -> None:
        for start in (b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"):
            for run in BOTH:
                with self.subTest(run.__name__, start=start):
                    started = time.monotonic()
                    with self.assertRaises(APITimeoutError):
                        run(self.trickle(start), timeout=0.3)
                    self.assertLess(time.monotonic() - started, 5)

    def trickle(self, start: bytes) -> str:
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def send() -> None:
            connection, _ = listener.accept()
            with connection:
                try:
                    connection.recv(64 * 1024)
                    connection.sendall(start)
                    while True:
                        connection.sendall(b"a")
                        time.sleep(0.02)
                except OSError:
                    return

        threading.Thread(target=send, daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}"


@unittest.skipUnless(shutil.which("openssl"), "needs openssl")
class Tls(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.certificate, key = Path(folder.name, "certificate.pem"), Path(folder.name, "key.pem")
        create = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost"
        files = ["-keyout", str(key), "-out", str(self.certificate)]
        subprocess.run(
            ["openssl", *create.split(), "-addext", "subjectAltName=DNS:localhost,DNS:pay.invalid", *files],
            check=True,
            capture_output=True,
        )
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(self.certificate, key)

    def test_carries_all_calls_in_a_row(self) -> None:
        for run in BOTH:
            with self.subTest(run.__name__), mock.patch.dict(os.environ, SSL_CERT_FILE=str(self.certificate)):
                server = Server(self, tls=self.tls)
                run(f"https://localhost:{server.server_address[1]}", times=5)
                self.assertEqual((len(server.heads), server.connections), (5, 1))

    def test_carries_all_calls_in_a_row_through_one_tunnel_of_a_proxy(self) -> None:
        for run in BOTH:
            with self.subTest(run.__name__), mock.patch.dict(os.environ, SSL_CERT_FILE=str(self.certificate)):
                server = Server(self, tls=self.tls, is_proxy=True)
                run("https://pay.invalid", times=5, proxy=f"http://{server.address}")
                self.assertEqual((len(server.heads), server.connections), (1 + 5, 1))
                self.assertEqual(server.heads[0][0], "CONNECT pay.invalid:443 HTTP/1.1")
                self.assertIn(f"Authorization: Bearer {API_KEY}", server.heads[1])

    def test_ends_the_call_when_the_certificate_is_not_trusted(self) -> None:
        for run in BOTH:
            with self.subTest(run.__name__):
                server = Server(self, tls=self.tls)
                with self.assertRaisesRegex(APIConnectionError, "CERTIFICATE_VERIFY_FAILED"):
                    run(f"https://localhost:{server.server_address[1]}")
                self.assertEqual(server.heads, [])
