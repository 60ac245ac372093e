"""The errors of this package. Branch on the class for the family, and on ``code`` for the reason."""

from __future__ import annotations

from typing import Any, Optional


class TollgateError(Exception):
    """What every error of this package extends."""

    #: Stable code to branch on, from the API's catalogue or from this package.
    code: str
    #: HTTP status, if there was a response.
    status: Optional[int]
    #: Quote it when you ask for help.
    request_id: Optional[str]
    #: The whole error response of the API.
    problem: Optional[dict[str, Any]]
    #: The key of the failed call. With it, the same call can be repeated later without a second effect.
    idempotency_key: Optional[str]
    #: How many seconds the server asked to wait before another attempt.
    retry_after: Optional[float]

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        problem: Optional[dict[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.request_id = request_id
        self.problem = problem
        self.idempotency_key = idempotency_key
        self.retry_after = retry_after


class InvalidArgumentError(TollgateError, ValueError):
    """An argument that this package rejects before it sends a request."""


class APIConnectionError(TollgateError):
    """No complete response arrived. The request may have been processed."""


class APITimeoutError(TollgateError):
    """No complete response arrived in time, or the server timed out. The request may have been processed."""


class UnexpectedResponseError(TollgateError):
    """A response that is not from the API, such as a page of a proxy. Check ``base_url``."""


class InvalidRequestError(TollgateError):
    """400, 422, and every other rejection of the request itself."""


class AuthenticationError(TollgateError):
    """401: the API key is missing, invalid, revoked, or of the other environment."""


class PermissionDeniedError(TollgateError):
    """403: the API key is valid, but not for this operation or from this address."""


class NotFoundError(TollgateError):
    """404: the payment does not exist in this application and environment."""


class ConflictError(TollgateError):
    """409: the payment is not in a state that allows this."""


class RateLimitError(TollgateError):
    """429"""


class ServerError(TollgateError):
    """5xx"""


class WebhookVerificationError(TollgateError):
    """A webhook request that the endpoint's secret did not sign, or not recently."""
