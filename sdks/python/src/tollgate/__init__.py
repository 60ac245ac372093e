"""Take payments with Tollgate: a typed client, exact money helpers, and webhook verification."""

from . import webhooks
from .client import AsyncTollgate, Tollgate
from .errors import (
    APIConnectionError,
    APITimeoutError,
    AuthenticationError,
    ConflictError,
    InvalidArgumentError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    TollgateError,
    UnexpectedResponseError,
    WebhookVerificationError,
)
from .money import from_minor_units, to_minor_units
from .types import (
    CancelPaymentParams,
    CreatePaymentParams,
    NextAction,
    Party,
    PartyParams,
    Payment,
    PaymentFailure,
    WebhookEvent,
    WebhookPayment,
)

__all__ = [
    "APIConnectionError",
    "APITimeoutError",
    "AsyncTollgate",
    "AuthenticationError",
    "CancelPaymentParams",
    "ConflictError",
    "CreatePaymentParams",
    "InvalidArgumentError",
    "InvalidRequestError",
    "NextAction",
    "NotFoundError",
    "Party",
    "PartyParams",
    "Payment",
    "PaymentFailure",
    "PermissionDeniedError",
    "RateLimitError",
    "ServerError",
    "Tollgate",
    "TollgateError",
    "UnexpectedResponseError",
    "WebhookEvent",
    "WebhookPayment",
    "WebhookVerificationError",
    "from_minor_units",
    "to_minor_units",
    "webhooks",
]
