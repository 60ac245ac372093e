"""The functions of the library `requests` that generated code calls. Python in WebAssembly has no sockets."""

import json as encoding

from pyodide.ffi import run_sync
from pyodide.http import pyfetch


class Response:
    def __init__(self, text):
        self.text = text

    def json(self):
        return encoding.loads(self.text)


def send(method, url, headers, json=None):
    body = {} if json is None else {"body": encoding.dumps(json)}
    return Response(run_sync(run_sync(pyfetch(url, method=method, headers=headers, **body)).text()))


def get(url, headers):
    return send("GET", url, headers)


def post(url, headers, json=None):
    return send("POST", url, headers, json)
