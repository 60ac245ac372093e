"""Creates, reads, and cancels a payment with the Python types of quicktype and the requests of oas-to-snippet."""

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


def journey(generate_request):
    def send(method, path, /, **values):
        scope = {}
        exec(generate_request(method, path, json.dumps(values)), scope)
        return scope["response"].json()

    body = CreatePaymentBody(amount=1250, currency="EUR", payment_method="pm_hold", metadata={"cart": "c-93"})
    created = payment_from_dict(
        send(
            "post",
            "/v1/payments",
            header={"Idempotency-Key": f"python-{time()}"},
            body=create_payment_body_to_dict(body),
        )
    )

    of_payment = {"payment_id": created.id}
    read = payment_from_dict(send("get", "/v1/payments/{payment_id}", path=of_payment))

    body = CancelPaymentBody(cancellation_reason=CancellationReason.REQUESTED_BY_CUSTOMER)
    canceled = payment_from_dict(
        send(
            "post",
            "/v1/payments/{payment_id}/cancel",
            path=of_payment,
            body=cancel_payment_body_to_dict(body),
        )
    )

    missing = problem_from_dict(send("get", "/v1/payments/{payment_id}", path={"payment_id": "pay_x"}))
    return json.dumps(
        {
            "created": payment_to_dict(created),
            "read": payment_to_dict(read),
            "canceled": payment_to_dict(canceled),
            "code": missing.code,
        }
    )
