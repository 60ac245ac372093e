"""Every request case, with both clients."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import threading
import time
import traceback
import unittest
from collections.abc import Callable, Iterator
from typing import Any

from cases import ScriptedServer, matches, name_of, read
from tollgate import APITimeoutError, AsyncTollgate, Tollgate, TollgateError
from tollgate._call import Clock

FILE = read("requests.json")
API_KEY = FILE["api_key"]


class VirtualClock:
    """A clock that does not wait: it notes the wait, and then it is later."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self._waited = 0.0
        self.clock = Clock(now=lambda: time.monotonic() + self._waited, random=random.random)

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self._waited += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)


Caller = Callable[[dict[str, Any]], Any]


@contextlib.contextmanager
def sync_caller(options: dict[str, Any], clock: VirtualClock) -> Iterator[Caller]:
    with Tollgate(**options, _clock=clock.clock, _sleep=clock.sleep) as tollgate:
        yield lambda case: invoke(tollgate.payments, case)


@contextlib.contextmanager
def async_caller(options: dict[str, Any], clock: VirtualClock) -> Iterator[Caller]:
    with asyncio.Runner() as runner:
        tollgate = AsyncTollgate(**options, _clock=clock.clock, _sleep=clock.sleep_async)
        yield lambda case: runner.run(invoke(tollgate.payments, case))
        runner.run(tollgate.aclose())


def seconds_of(case: dict[str, Any]) -> dict[str, float]:
    """The timeouts of a client or a call."""
    return {
        name: case[f"{name}_ms"] / 1_000 for name in ("timeout", "attempt_timeout") if f"{name}_ms" in case
    }


def invoke(payments: Any, case: dict[str, Any]) -> Any:
    options: dict[str, Any] = {**seconds_of(case)}
    if "idempotency_key" in case:
        options["idempotency_key"] = case["idempotency_key"]
    if case["operation"] == "create":
        options["wait_for_action"] = case.get("wait_for_action", False)
        return payments.create(case.get("params", {}), **options)
    if case["operation"] == "retrieve":
        return payments.retrieve(case["id"], **options)
    return payments.cancel(case["id"], case.get("params"), **options)


CallerOf = Callable[[dict[str, Any], VirtualClock], contextlib.AbstractContextManager[Caller]]


class RequestCases(unittest.TestCase):
    server: ScriptedServer

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ScriptedServer()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def test_tollgate(self) -> None:
        self.run_all(sync_caller)

    def test_async_tollgate(self) -> None:
        self.run_all(async_caller)

    def run_all(self, caller_of: CallerOf) -> None:
        for case in FILE["cases"]:
            with self.subTest(case["name"]):
                self.run_case(case, caller_of)

    def run_case(self, case: dict[str, Any], caller_of: Any) -> None:
        session = self.server.start(case["replies"])
        clock = VirtualClock()
        client = case.get("client", {})
        options = {"api_key": API_KEY, "base_url": session.base_url, **seconds_of(client)}
        if "max_retries" in client:
            options["max_retries"] = client["max_retries"]
        keys, seen = set(), 0
        with caller_of(options, clock) as call:
            for one in case["calls"]:
                clock.waits.clear()
                expected = one["expect"]
                payment, error = None, None
                try:
                    payment = call(one)
                except TollgateError as raised:
                    error = raised
                requests = session.requests()[seen:]
                seen += len(requests)
                key = requests[0]["headers"].get("idempotency-key") if requests else None
                if error is None:
                    self.assertIn("payment", expected)
                    self.assertTrue(matches(payment, expected["payment"]), payment)
                else:
                    self.check_error(error, expected)
                    self.assertEqual(error.idempotency_key, key)
                self.check_requests(requests, expected)
                self.assertEqual(len(clock.waits), len(expected["waits_ms"]))
                for wait, (least, most) in zip(clock.waits, expected["waits_ms"]):
                    self.assertTrue(least <= wait * 1_000 <= most, f"{wait} s is not within {least} and {most} ms")
                if one["operation"] != "retrieve":
                    keys.add(key)
        self.assertEqual(len(keys), sum(one["operation"] != "retrieve" for one in case["calls"]))

    def check_error(self, error: TollgateError, expected: dict[str, Any]) -> None:
        self.assertEqual((name_of(error), error.code), (expected.get("error"), expected.get("code")))
        for member in ("status", "request_id", "idempotency_key"):
            if member in expected:
                self.assertEqual(getattr(error, member), expected[member])
        if "retry_after_ms" in expected:
            self.assertEqual((error.retry_after or 0) * 1_000, expected["retry_after_ms"])
        self.assertIn(expected.get("message_includes", ""), str(error))
        if "problem" in expected:
            self.assertTrue(matches(error.problem, expected["problem"]))
        shown = [str(error), repr(error), repr(vars(error)), *traceback.format_exception(type(error), error, None)]
        self.assertNotIn(API_KEY, "".join(shown))

    def check_requests(self, requests: list[dict[str, Any]], expected: dict[str, Any]) -> None:
        self.assertEqual(len(requests), expected["attempts"])
        for request in requests:
            wanted = expected["request"]
            sent = {member: request[member] for member in ("method", "path", "body")}
            self.assertEqual(sent, {member: wanted[member] for member in sent})
            headers = request["headers"]
            self.assertEqual(headers["accept"], "application/json")
            self.assertEqual(headers["authorization"], f"Bearer {API_KEY}")
            self.assertRegex(headers["user-agent"], r"^tollgate-python/\S+ Python/3\.")
            self.assertTrue(matches(headers, wanted.get("headers", {})))
            is_read = request["method"] == "GET"
            self.assertEqual("idempotency-key" not in headers, is_read)
            self.assertEqual(headers.get("content-type"), None if is_read else "application/json")
        self.assertLessEqual(len({request["headers"].get("idempotency-key") for request in requests}), 1)


class Key(unittest.TestCase):
    def test_is_shown_by_no_client(self) -> None:
        for client in (Tollgate, AsyncTollgate):
            tollgate = client(api_key=API_KEY, base_url="http://localhost:1")
            self.assertEqual(tollgate.environment, "sandbox")
            connection = tollgate.payments._calls._connection
            for shown in (tollgate, tollgate.payments, vars(tollgate), connection):
                self.assertNotIn(API_KEY, repr(shown))

    def test_of_another_kind_is_rejected_without_showing_it(self) -> None:
        for key in ("tg_admin_secret", "secret", "tg_live_x\nsecret", ""):
            with self.assertRaises(TollgateError) as raised:
                Tollgate(api_key=key, base_url="http://localhost:1")
            self.assertEqual(raised.exception.code, "invalid-api-key")
            self.assertNotIn("secret", repr(raised.exception))

    def test_needs_a_base_url_without_credentials(self) -> None:
        for url in ("localhost:8080", "ftp://localhost", "http://a:b@localhost", "http://localhost?a=1", ""):
            with self.assertRaises(TollgateError) as raised:
                Tollgate(api_key=API_KEY, base_url=url)
            self.assertEqual(raised.exception.code, "invalid-base-url")
