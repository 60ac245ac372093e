"""Creates, reads, and cancels a payment with the Python types of quicktype."""

import json
from time import time

from payments import (
    CancellationReason,
    CancelPaymentBody,
    CreatePaymentBody,
    cancel_payment_body_to_dict,
    create_payment_body_to_dict,
    payment_from_dict,
    payment_to_dict,
    problem_from_dict,
)
from pyodide.http import pyfetch


async def journey(base_url, key):
    async def send(method, path, body=None, headers={}):
        return await pyfetch(
            base_url + path,
            method=method,
            headers={"authorization": f"Bearer {key}", "content-type": "application/json", **headers},
            **({} if body is None else {"body": json.dumps(body)}),
        )

    body = CreatePaymentBody(amount=1250, currency="EUR", payment_method="pm_hold", metadata={"cart": "c-93"})
    response = await send(
        "POST", "/v1/payments", create_payment_body_to_dict(body), {"idempotency-key": f"python-{time()}"}
    )
    created = payment_from_dict(await response.json())

    response = await send("GET", f"/v1/payments/{created.id}")
    read = payment_from_dict(await response.json())

    body = CancelPaymentBody(cancellation_reason=CancellationReason.REQUESTED_BY_CUSTOMER)
    response = await send("POST", f"/v1/payments/{created.id}/cancel", cancel_payment_body_to_dict(body))
    canceled = payment_from_dict(await response.json())

    response = await send("GET", "/v1/payments/pay_x")
    missing = problem_from_dict(await response.json())
    return json.dumps(
        {
            "created": payment_to_dict(created),
            "read": payment_to_dict(read),
            "canceled": payment_to_dict(canceled),
            "code": missing.code,
        }
    )
