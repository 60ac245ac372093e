"""Every argument with values of another type or range, with both clients."""

from __future__ import annotations

import asyncio
import inspect
import math
import socket
import unittest
from decimal import Decimal
from typing import Any, Callable

from cases import read
from tollgate import AsyncTollgate, InvalidArgumentError, Tollgate, from_minor_units, to_minor_units, webhooks

API_KEY = read("requests.json")["api_key"]
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
PARAMS = {"amount": 1, "currency": "EUR"}
INFINITE = (math.nan, math.inf, -math.inf)

#: Of every type that no argument has.
NEVER = (True, object(), b"text", Decimal(1))
NO_TEXT = (*NEVER, math.nan, 1, [], {})
NO_NUMBER = (*NEVER, *INFINITE, [], {}, "60", "", -1)
NO_DURATION = (*NO_NUMBER, 0, 0.0, 2**31)
NO_MAPPING = (*NEVER, math.nan, 0, [], (), "", False)
NO_URL = (*NO_TEXT, "", "localhost", "ftp://localhost", "http://", "http://[::1", "http://a:99999", "http://a:x", "http://a b")
NO_KEY = (*NO_TEXT, "", "a b", "é", "k" * 256)
NO_ID = (*NO_TEXT, None, "", "/", "pay_1/cancel", "pay_1?a", "pay_1\n", "pây")
NO_PARAMS = (
    *NO_MAPPING,
    *({"amount": value} for value in (Decimal("12.50"), *INFINITE, object(), b"", {1}, 10**5_000)),
    {("a",): "b"},
)

#: A function, and values that it rejects for each of its parameters. The defaults of a client and None in place of an
#: optional argument of a call are valid.
Row = dict[str, tuple[Any, ...]]
CLIENT: Row = {
    "api_key": (*NO_TEXT, None, "", "tg_live_", "tg_admin_x"),
    "base_url": (*NO_URL, None, "http://a/é", "http://" + "a" * 64, "http://a:b@localhost", "http://a?b", "http://a#b"),
    "timeout": (*NO_DURATION, None),
    "attempt_timeout": (*NO_DURATION, None),
    "max_retries": (*NO_NUMBER, None, 1.5),
    "proxy": (*NO_URL, "https://localhost", "socks5://localhost", "http://localhost/path"),
}
CREATE: Row = {
    "params": (*NO_PARAMS, None),
    "idempotency_key": NO_KEY,
    "timeout": NO_DURATION,
    "attempt_timeout": NO_DURATION,
    "wait_for_action": (None, 1, "true", []),
}
RETRIEVE: Row = {"payment_id": NO_ID, "timeout": NO_DURATION, "attempt_timeout": NO_DURATION}
CANCEL: Row = {"payment_id": NO_ID, "params": NO_PARAMS, "idempotency_key": NO_KEY, "timeout": NO_DURATION, "attempt_timeout": NO_DURATION}
VERIFY: Row = {
    "raw_body": (None, True, math.nan, 1, {}, object()),
    "headers": (None, True, math.nan, 1, "text", [], object()),
    "secrets": (*NO_TEXT, None, "", "text", [None]),
    "tolerance_seconds": (*NO_NUMBER, None),
    "now": tuple(value for value in NO_NUMBER if value != -1),
}
NO_CURRENCY = (*NEVER, None, math.nan, [], {}, "", "2", 9, -1, 1.5)
TO_MINOR_UNITS: Row = {"amount": (*NO_TEXT, None, ""), "currency": NO_CURRENCY}
FROM_MINOR_UNITS: Row = {
    "minor_units": (*NEVER, None, *INFINITE, 1.5, "1", [], 2**53),
    "currency": NO_CURRENCY,
}


class Arguments(unittest.TestCase):
    """Each method of a client connects to a server that must not get a connection."""

    def setUp(self) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self.server.settimeout(0)
        self.addCleanup(self.server.close)
        self.options = {"api_key": API_KEY, "base_url": f"http://127.0.0.1:{self.server.getsockname()[1]}"}

    def tearDown(self) -> None:
        with self.assertRaises(BlockingIOError):
            self.server.accept()

    def rejects(self, function: Callable[..., Any], row: Row, valid: dict[str, Any]) -> None:
        parameters = [name for name in inspect.signature(function).parameters if not name.startswith("_")]
        self.assertEqual(parameters, list(row))
        for name, values in row.items():
            for index, value in enumerate(values):
                with self.subTest(f"{function.__qualname__}: {name}", index=index, type=type(value).__name__):
                    with self.assertRaises(InvalidArgumentError):
                        result = function(**{**valid, name: value})
                        if inspect.iscoroutine(result):
                            asyncio.run(result)

    def test_of_clients(self) -> None:
        for client in (Tollgate, AsyncTollgate):
            self.rejects(client, CLIENT, self.options)

    def test_of_calls(self) -> None:
        for client in (Tollgate, AsyncTollgate):
            payments = client(**self.options, max_retries=0).payments
            self.rejects(payments.create, CREATE, {"params": PARAMS})
            self.rejects(payments.retrieve, RETRIEVE, {"payment_id": "pay_1"})
            self.rejects(payments.cancel, CANCEL, {"payment_id": "pay_1"})

    def test_of_helpers(self) -> None:
        self.rejects(webhooks.verify, VERIFY, {"raw_body": b"", "headers": {}, "secrets": SECRET})
        self.rejects(to_minor_units, TO_MINOR_UNITS, {"amount": "1", "currency": "EUR"})
        self.rejects(from_minor_units, FROM_MINOR_UNITS, {"minor_units": 1, "currency": "EUR"})
