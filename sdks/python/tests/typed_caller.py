"""Code of a caller for mypy: each call with ``ignore`` must be rejected, because mypy reports an ``ignore`` without an error."""

from email.message import Message

from tollgate import AsyncTollgate, CreatePaymentParams, Tollgate, webhooks


def call(tollgate: Tollgate) -> str:
    params: CreatePaymentParams = {"amount": 1250, "currency": "EUR", "payer": {"name": "Ada"}}
    params["metadata"] = {"order": "4711"}
    payment = tollgate.payments.create(params, idempotency_key="order-4711", attempt_timeout=5)
    tollgate.payments.cancel(payment["id"], {"cancellation_reason": "duplicate"})

    tollgate.payments.create({"amount": "12.50", "currency": "EUR"})  # type: ignore[typeddict-item]
    tollgate.payments.create({"amount": 1250})  # type: ignore[typeddict-item]
    tollgate.payments.create({"amount": 1250, "currency": "EUR", "refrence": "4711"})  # type: ignore[typeddict-unknown-key]
    tollgate.payments.cancel(payment["id"], {"cancellation_reason": "bored"})  # type: ignore[arg-type]
    tollgate.payments.retrieve(payment["id"], idempotency_key="order-4711")  # type: ignore[call-arg]
    return payment["amount"]  # type: ignore[return-value]


async def call_async(tollgate: AsyncTollgate) -> str:
    payment = await tollgate.payments.create({"amount": 1250, "currency": "EUR"})
    await tollgate.payments.create({"amount": 12.5, "currency": "EUR"})  # type: ignore[typeddict-item]
    return payment["status"]


def receive(headers: Message) -> str:
    """The headers of ``http.server``, which are no mapping."""
    webhooks.verify(b"", [("webhook-id", "evt_1")], "whsec_")  # type: ignore[arg-type]
    return webhooks.verify(b"", headers, "whsec_")["type"]
