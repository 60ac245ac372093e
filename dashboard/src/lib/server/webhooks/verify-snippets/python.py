import os

from standardwebhooks import Webhook

webhook = Webhook(os.environ["WEBHOOK_SECRET"])


def verify(raw_body: bytes, headers: dict[str, str]) -> dict:
    """Takes the raw, unparsed body. Raises WebhookVerificationError if the request is not authentic."""
    return webhook.verify(raw_body, headers)
