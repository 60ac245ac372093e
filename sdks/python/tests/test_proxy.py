"""Requests through a proxy, of an option or of the environment."""

from __future__ import annotations

import base64
import os
import unittest
from typing import Any
from unittest import mock

from cases import read
from server import Server
from tollgate import APIConnectionError, Tollgate

FILE = read("requests.json")
API_KEY = FILE["api_key"]
BASIC = "Basic " + base64.b64encode(b"user:p@ss").decode()


class Proxy(unittest.TestCase):
    def setUp(self) -> None:
        self.server = Server(self, is_proxy=True)
        self.server.tunnel_status = "502 Bad Gateway"
        self.heads, self.address = self.server.heads, self.server.address

    def retrieve(self, base_url: str, environment: dict[str, str], **options: Any) -> None:
        others = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        with mock.patch.dict(os.environ, {**others, **environment}, clear=True):
            tollgate = Tollgate(api_key=API_KEY, base_url=base_url, max_retries=0, timeout=10, **options)
        payment_id = FILE["examples"]["payment"]["id"]
        self.assertEqual(tollgate.payments.retrieve(payment_id)["id"], payment_id)
        self.assertNotIn("p%40ss", repr(vars(tollgate.payments._calls._connection)))

    def test_of_the_option_or_of_the_environment_gets_the_whole_url_and_its_credentials(self) -> None:
        proxy = f"http://user:p%40ss@{self.address}"
        path = f"/v1/payments/{FILE['examples']['payment']['id']}"
        for environment, options in (
            ({}, {"proxy": proxy}),
            ({"HTTP_PROXY": proxy}, {}),
            ({"http_proxy": f"user:p%40ss@{self.address}"}, {}),
            ({"ALL_PROXY": proxy, "NO_PROXY": "other.invalid"}, {}),
            ({"HTTP_PROXY": "http://127.0.0.1:1", "NO_PROXY": "*"}, {"proxy": proxy}),
        ):
            with self.subTest(environment=environment, options=options):
                self.heads.clear()
                self.retrieve("http://pay.invalid:8080", environment, **options)
                ((line, *fields),) = self.heads
                self.assertEqual(line, f"GET http://pay.invalid:8080{path} HTTP/1.1")
                self.assertIn("Host: pay.invalid:8080", fields)
                self.assertIn(f"Proxy-Authorization: {BASIC}", fields)
                self.assertIn(f"Authorization: Bearer {API_KEY}", fields)

    def test_gets_a_tunnel_without_the_api_key_for_https(self) -> None:
        with self.assertRaises(APIConnectionError) as raised:
            self.retrieve("https://pay.invalid", {"HTTPS_PROXY": f"http://user:p%40ss@{self.address}"})
        ((line, *fields),) = self.heads
        self.assertTrue(line.startswith("CONNECT pay.invalid:443 "), line)
        self.assertIn(f"Proxy-Authorization: {BASIC}", fields)
        self.assertNotIn(API_KEY, "".join(fields))
        self.assertIn("502", str(raised.exception))

    def test_is_not_used_for_a_host_in_no_proxy_or_for_another_scheme(self) -> None:
        closed = "http://127.0.0.1:1"
        for environment in (
            {"HTTP_PROXY": closed, "NO_PROXY": "127.0.0.1"},
            {"HTTP_PROXY": closed, "no_proxy": f"localhost,{self.address}"},
            {"ALL_PROXY": closed, "NO_PROXY": "*"},
            {"HTTPS_PROXY": closed},
        ):
            with self.subTest(environment=environment):
                self.heads.clear()
                self.retrieve(f"http://{self.address}", environment)
                ((line, *fields),) = self.heads
                self.assertTrue(line.startswith("GET /v1/payments/"), line)
                self.assertNotIn("Proxy-Authorization", "".join(fields))
