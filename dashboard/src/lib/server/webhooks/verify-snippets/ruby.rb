require "standardwebhooks"

WEBHOOK = StandardWebhooks::Webhook.new(ENV.fetch("WEBHOOK_SECRET"))

# Takes the body as it came, not parsed, and the headers with names in small letters.
# Raises StandardWebhooks::WebhookVerificationError when the request is not to be trusted.
def verify(raw_body, headers)
  WEBHOOK.verify(raw_body, headers)
end
