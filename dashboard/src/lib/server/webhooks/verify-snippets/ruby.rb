require "standardwebhooks"

WEBHOOK = StandardWebhooks::Webhook.new(ENV.fetch("WEBHOOK_SECRET"))

# Takes the raw, unparsed body and headers with lowercase names.
# Raises StandardWebhooks::WebhookVerificationError if the request is not authentic.
def verify(raw_body, headers)
  WEBHOOK.verify(raw_body, headers)
end
