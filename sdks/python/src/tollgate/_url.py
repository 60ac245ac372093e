"""Reading of the URLs that a client is configured with."""

from __future__ import annotations

import re
from typing import Optional
from urllib.parse import SplitResult, urlsplit

#: Anything else does not fit into a request line, or is dropped silently by ``urlsplit``.
_NO_SPACE = re.compile(r"[^\x00-\x20\x7f]+")


def split_url(url: object) -> Optional[SplitResult]:
    """The parts of an absolute URL to which a connection is possible; None for anything else."""
    if not isinstance(url, str) or not _NO_SPACE.fullmatch(url):
        return None
    try:
        parts = urlsplit(url)
        host, _ = (parts.hostname or "").encode("idna"), parts.port
    except ValueError:
        return None
    return parts if host and parts.path.isascii() else None
