<?php

require __DIR__ . '/vendor/autoload.php';

use StandardWebhooks\Exception\WebhookVerificationException;
use StandardWebhooks\Webhook;

$webhook = new Webhook(getenv('WEBHOOK_SECRET'));
// The raw, unparsed body.
$rawBody = file_get_contents('php://input');

try {
    $event = $webhook->verify($rawBody, [
        'webhook-id' => $_SERVER['HTTP_WEBHOOK_ID'] ?? null,
        'webhook-timestamp' => $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? null,
        'webhook-signature' => $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? null,
    ]);
} catch (WebhookVerificationException $error) {
    http_response_code(400);
    exit;
}
http_response_code(204);
