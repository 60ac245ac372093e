"""Responses that arrive in parts."""

from __future__ import annotations

import unittest

from tollgate._http import Reply

HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


class Parts(unittest.TestCase):
    def test_are_a_response_with_the_last_byte_and_not_before(self) -> None:
        for message, body in (
            (HEAD + b"Content-Length: 0\r\n\r\n", b""),
            (HEAD + b"Content-Length: 10\r\n\r\n0123456789", b"0123456789"),
            (CHUNKED + b"000a\r\n0123456789\r\n00\r\n\r\n", b"0123456789"),
            (CHUNKED + b"5;a=b\r\n01234\r\n5\r\n56789\r\n0\r\nTrailer: a\r\n\r\n", b"0123456789"),
        ):
            with self.subTest(message):
                reply = Reply()
                complete = [reply.feed(message[index : index + 1]) for index in range(len(message))]
                self.assertEqual(complete, [False] * (len(message) - 1) + [True])
                self.assertEqual((reply.response.body, reply.is_reusable), (body, True))
                # A second response in the same part.
                reply = Reply()
                self.assertTrue(reply.feed(message * 2))
                self.assertEqual((reply.response.body, reply.is_reusable), (body, False))

    def test_are_a_response_at_the_end_of_the_connection_without_a_length(self) -> None:
        reply = Reply()
        self.assertFalse(reply.feed(HEAD + b"\r\n0123456789"))
        self.assertTrue(reply.feed(b""))
        self.assertEqual((reply.response.body, reply.is_reusable), (b"0123456789", False))
