"""Reads the cases that the SDKs of all languages share, and starts their scripted server."""

from __future__ import annotations

import json
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

CASES = Path(__file__).resolve().parents[2] / "cases"

#: The names of TypeScript, for classes that have another one here because Python reserves it.
CLASS_NAMES = {
    "APIConnectionError": "ConnectionError",
    "APITimeoutError": "TimeoutError",
    "PermissionDeniedError": "PermissionError",
}


def read(name: str) -> Any:
    return json.loads((CASES / name).read_text("utf-8"))


def name_of(error: BaseException) -> str:
    name = type(error).__name__
    return CLASS_NAMES.get(name, name)


def matches(actual: Any, expected: Any) -> bool:
    """Whether the members of ``expected`` are in ``actual``."""
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(
            key in actual and matches(actual[key], value) for key, value in expected.items()
        )
    return bool(actual == expected)


class Session:
    """One case at the scripted server."""

    def __init__(self, address: str, replies: list[Any]) -> None:
        body = json.dumps(replies).encode()
        with urllib.request.urlopen(f"{address}/sessions", data=body) as response:
            created = json.load(response)
        self._url = f"{address}/sessions/{created['id']}"
        self.base_url = created["base_url"]

    def requests(self) -> list[dict[str, Any]]:
        with urllib.request.urlopen(self._url) as response:
            return list(json.load(response))


class ScriptedServer:
    """The server of ``sdks/cases``. It ends when its standard input ends."""

    def __init__(self) -> None:
        command = ["node", str(CASES / "scripted-server.mjs")]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()

    def start(self, replies: list[Any]) -> Session:
        return Session(self.address, replies)

    def stop(self) -> None:
        self._process.communicate()
