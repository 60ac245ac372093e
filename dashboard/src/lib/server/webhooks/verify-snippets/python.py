import os

from standardwebhooks import Webhook

webhook = Webhook(os.environ["WEBHOOK_SECRET"])


def verify(raw_body: bytes, headers: dict[str, str]) -> dict:
    """Takes the body as it came, not parsed. Raises WebhookVerificationError when the request is not to be trusted."""
    return webhook.verify(raw_body, headers)
