"""The code of the README, against the scripted server."""

from __future__ import annotations

import contextlib
import io
import os
import re
import unittest
from pathlib import Path
from unittest import mock

from cases import ScriptedServer, read

README = (Path(__file__).resolve().parents[1] / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.+?)^```$", README, re.MULTILINE | re.DOTALL)


class Readme(unittest.TestCase):
    def test_runs(self) -> None:
        server = ScriptedServer()
        self.addCleanup(server.stop)
        problem = {"code": "payment-not-cancelable", "retryable": False, "payment_status": "succeeded"}
        replies = [{"status": 201, "payment": {}}, {"payment": {"status": "succeeded"}}, {"status": 409, "problem": problem}]
        session = server.start(replies)
        code = "\n".join(BLOCKS).replace("http://localhost:8081", session.base_url)
        printed = io.StringIO()
        with mock.patch.dict(os.environ, TOLLGATE_API_KEY=read("requests.json")["api_key"]):
            with contextlib.redirect_stdout(printed):
                names: dict[str, object] = {}
                exec(compile(code, "README.md", "exec"), names)
        self.assertIn("['succeeded']\nToo late: succeeded", printed.getvalue())
        self.assertEqual(names["receive"](b"{}", {}, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"), 400)  # type: ignore[operator]
