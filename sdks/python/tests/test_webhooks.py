"""Every webhook case, with text and with bytes, and with headers as texts and as lists."""

from __future__ import annotations

import unittest

from cases import matches, name_of, read
from tollgate import TollgateError, webhooks


class WebhookCases(unittest.TestCase):
    def test_verify(self) -> None:
        for case in read("webhooks.json")["cases"]:
            for body in (case["body"], case["body"].encode()):
                for secrets in (case["secrets"], *(case["secrets"] if len(case["secrets"]) == 1 else [])):
                    with self.subTest(case["name"], body=type(body).__name__, secrets=type(secrets).__name__):
                        self.check(case, body, secrets)

    def check(self, case, body, secrets) -> None:  # type: ignore[no-untyped-def]
        options = {"tolerance_seconds": case["tolerance_seconds"]} if "tolerance_seconds" in case else {}
        for headers in (case["headers"], {name: [value] for name, value in case["headers"].items()}):
            self.check_headers(case, body, headers, secrets, options)

    def check_headers(self, case, body, headers, secrets, options) -> None:  # type: ignore[no-untyped-def]
        expected = case["expect"]
        try:
            event = webhooks.verify(body, headers, secrets, now=case["now"], **options)
        except TollgateError as error:
            self.assertEqual({"error": name_of(error), "code": error.code}, expected)
            for secret in case["secrets"]:
                self.assertNotIn(secret[6:] or "?", repr(error) + repr(vars(error)))
        else:
            self.assertTrue(matches(event, expected.get("event", "an error")), event)

    def test_rejects_parsed_json(self) -> None:
        with self.assertRaises(TollgateError) as raised:
            webhooks.verify({"type": "payment.created"}, {}, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")  # type: ignore[arg-type]
        self.assertEqual(raised.exception.code, "invalid-body")

    def test_rejects_a_lone_surrogate(self) -> None:
        headers = {"webhook-id": "evt_\ud800", "webhook-timestamp": "1768469405", "webhook-signature": "v1,AAAA"}
        with self.assertRaises(TollgateError) as raised:
            webhooks.verify("\ud800", headers, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", now=1768469405)
        self.assertEqual(raised.exception.code, "signature-mismatch")

    def test_verifies_generated_requests(self) -> None:
        secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"]
        event = {"type": "payment.succeeded", "data": {"id": "pay_1"}, "id": "evt_1"}
        body, headers = webhooks.generate_test_request(event, secrets)
        for secret in secrets:
            verified = webhooks.verify(body, headers, secret)
            self.assertTrue(matches(verified, event), verified)
        body, headers = webhooks.generate_test_request(event, secrets, now=1768469405)
        with self.assertRaises(TollgateError) as raised:
            webhooks.verify(body, headers, secrets)
        self.assertEqual(raised.exception.code, "timestamp-too-old")

    def test_rejects_what_is_no_event(self) -> None:
        for event in ({}, {"type": "payment.succeeded"}, "payment.succeeded"):
            with self.assertRaises(TollgateError) as raised:
                webhooks.generate_test_request(event, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")  # type: ignore[arg-type]
            self.assertEqual(raised.exception.code, "invalid-event")
