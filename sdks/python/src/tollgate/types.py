"""Shapes of requests and responses. Enumerations are open: a later release can return values that are not listed."""

from typing import Literal, NotRequired, Optional, TypedDict


class Party(TypedDict):
    """The person or company that pays or receives. ``account`` is an identifier, for example an IBAN."""

    name: Optional[str]
    account: Optional[str]
    email: Optional[str]


class PaymentFailure(TypedDict):
    code: str
    message: str


class NextAction(TypedDict):
    """What the payer must do. ``redirect``: send the payer to the URL."""

    type: str
    url: str


class Payment(TypedDict):
    """A payment as the API and webhooks return it. Later releases may add fields."""

    id: str
    object: str
    environment: str
    #: In minor units, for example cents. See ``to_minor_units``.
    amount: int
    currency: str
    purpose: Optional[str]
    reference: Optional[str]
    payer: Optional[Party]
    payee: Optional[Party]
    payment_method: Optional[str]
    metadata: Optional[dict[str, str]]
    #: ``pending``, ``processing``, ``succeeded``, ``failed``, or ``canceled``; the last three are final.
    status: str
    cancelable: bool
    #: Incremented by one with every change.
    version: int
    failure: Optional[PaymentFailure]
    cancellation_reason: Optional[str]
    return_url: Optional[str]
    #: What the payer must do; None if nothing.
    next_action: Optional[NextAction]
    #: Who acts next on a pending payment: ``processor``, ``payer``, or ``member``. With ``member``, no action follows.
    waiting_for: Optional[str]
    processor: str
    processor_reference: Optional[str]
    expires_at: str
    created_at: str
    updated_at: str
    succeeded_at: Optional[str]
    failed_at: Optional[str]
    canceled_at: Optional[str]
    cancellation_requested_at: Optional[str]
    erased_at: Optional[str]


class PartyParams(TypedDict, total=False):
    """A payer or payee in a request."""

    name: Optional[str]
    account: Optional[str]
    email: Optional[str]


class CreatePaymentParams(TypedDict):
    #: In minor units, for example cents. See ``to_minor_units``.
    amount: int
    #: ISO 4217 currency code, in any case.
    currency: str
    purpose: NotRequired[Optional[str]]
    #: Your own reference, searchable in the dashboard.
    reference: NotRequired[Optional[str]]
    payer: NotRequired[Optional[PartyParams]]
    payee: NotRequired[Optional[PartyParams]]
    #: Opaque token of the processor. Never a card number.
    payment_method: NotRequired[Optional[str]]
    #: Where the payer returns to after an action: https, or in the sandbox also http on localhost.
    return_url: NotRequired[Optional[str]]
    #: Your own key-value pairs.
    metadata: NotRequired[Optional[dict[str, str]]]


class CancelPaymentParams(TypedDict, total=False):
    cancellation_reason: Optional[Literal["duplicate", "fraudulent", "requested_by_customer", "abandoned"]]


class WebhookPayment(Payment):
    """The payment after the change, and the application that owns it."""

    application_id: str


class WebhookEvent(TypedDict):
    """A verified event. Later releases may add types: ignore those that your application does not handle."""

    #: The same in every attempt to deliver it. Store it to ignore duplicates.
    id: str
    type: str
    #: Time of the change (RFC 3339).
    timestamp: str
    #: Events can arrive out of order: ignore one whose ``version`` is not newer.
    data: WebhookPayment
