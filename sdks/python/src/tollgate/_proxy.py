"""The HTTP proxy through which a client sends its requests."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Optional
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies_environment, proxy_bypass_environment  # type: ignore[attr-defined]

from ._url import split_url
from .errors import InvalidArgumentError

_DEFAULT_PORT = 80


@dataclass(frozen=True)
class Proxy:
    host: str
    port: int
    #: For the proxy only, and never shown.
    headers: dict[str, str] = field(repr=False)


def proxy_of(proxy: Optional[str], base_url: str) -> Optional[Proxy]:
    """The proxy of the option, or else that of the environment for this address; None to connect directly.

    :raises InvalidArgumentError: for a proxy that is not an HTTP proxy
    """
    address = _proxy_of_environment(base_url) if proxy is None else proxy
    if address is None:
        return None
    parts = split_url(address)
    is_plain = parts is not None and parts.scheme == "http" and parts.path in ("", "/")
    if parts is None or not is_plain or parts.query or parts.fragment:
        raise InvalidArgumentError(
            "proxy, or its variable in the environment, must be an http URL such as http://proxy.example.com:3128.",
            code="invalid-proxy",
        )
    headers = {}
    if parts.username is not None:
        credentials = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Proxy-Authorization"] = "Basic " + base64.b64encode(credentials.encode("utf-8", "surrogatepass")).decode()
    return Proxy(parts.hostname or "", parts.port or _DEFAULT_PORT, headers)


def _proxy_of_environment(base_url: str) -> Optional[str]:
    """``HTTPS_PROXY``, ``HTTP_PROXY``, or ``ALL_PROXY``, unless ``NO_PROXY`` names the host; in any case of letters."""
    parts = urlsplit(base_url)
    proxies = getproxies_environment()
    address = proxies.get(parts.scheme) or proxies.get("all")
    host = parts.hostname or ""
    if not address or proxy_bypass_environment(f"{host}:{parts.port}" if parts.port else host):
        return None
    # As other programs read these variables.
    return address if "://" in address else f"http://{address}"
