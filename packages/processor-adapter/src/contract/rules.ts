/**
 * The sentences of the adapter contract. `tollgate processor test` names the one that an adapter breaks, and the OpenAPI document
 * contains them all.
 */
export const ADAPTER_RULES = {
  'start-responds-with-state':
    'POST /payments responds with 200 and the state of the payment at the processor.',
  'start-is-idempotent':
    'Repeating POST /payments with the same payment id, also at the same time, returns the state of the same payment and never starts another one.',
  'start-rejects-with-422':
    'A payment that the processor does not accept gets 422 with a failure. Nothing else may be 422, because Tollgate ends the payment as failed.',
  'errors-decide-nothing':
    'If the outcome is unknown, the adapter responds with 5xx. Tollgate then leaves the payment as it is and asks again.',
  'status-is-current': 'GET /payments/{payment_id} responds with 200 and the current state at the processor.',
  'status-asks-again':
    'GET /payments/{payment_id}?ask=processor of a payment with a final status asks the processor again, responds with what it says now, and changes nothing.',
  'status-of-unknown-is-404':
    'GET /payments/{payment_id} of a payment that was never started responds with 404, and starts nothing.',
  'status-does-not-regress':
    'A final status (succeeded, failed, canceled) never changes, except in a response to ask=processor, and processing never returns to action_required.',
  'cancel-prevents-money':
    'POST /payments/{payment_id}/cancel responds with the status canceled only if no money has moved and none can move any more.',
  'cancel-too-late-reports-state':
    'A payment that the processor cannot cancel, not yet or not any more, gets 200 with its actual status.',
  'cancel-before-start-holds':
    'Canceling a payment that was never started responds with canceled, and a later POST /payments of it responds with canceled too.',
  'cancel-is-idempotent': 'Repeating a cancellation returns the same result.',
  'action-has-url':
    'The status action_required comes with next_action: the type redirect and the URL of a page for the payer.',
  'amounts-are-exact':
    'The adapter asks the processor for exactly the amount and the currency of the payment, also in currencies without decimals and with three.',
  'success-has-amount':
    'The status succeeded comes with the amount and the currency of the money that has moved, in minor units. Tollgate leaves a payment of another amount or currency as it is.',
  'reversals-are-reported':
    'A refund or a dispute at the processor is sent as a callback with refunded_amount or disputed_amount, and is part of the response to ask=processor. The status stays succeeded.',
  'failure-has-code': 'The status failed comes with a failure: a code in snake_case and a message.',
  'requests-are-verified':
    'A request without a valid signature gets 401. So does one whose webhook-id does not start with the call and the payment id, and one whose timestamp is more than 300 seconds off.',
  'requests-are-validated':
    'A request that does not match the contract gets 400. So does a start with the id of an earlier payment and other content.',
  'responses-are-signed':
    'Responses with status 200, 404, and 422 are signed, with the webhook-id of the request.',
  'unknown-fields-are-ignored': 'The adapter ignores fields that it does not know.',
  'responds-in-time': 'The adapter responds within 10 seconds, also while the processor is slow.',
  'callbacks-are-signed':
    'A change at the processor is sent to POST /v1/processor-events/{processor} as a signed callback with the payment id and the state.',
  'callbacks-are-repeated':
    'A callback is repeated with the same webhook-id until Tollgate responds with 2xx.',
  'webhooks-are-verified':
    'A webhook that the processor did not sign gets 4xx and changes nothing. One that it signed gets 2xx.',
  'health-is-reported':
    'GET /healthz responds with 200, without a signature, while the adapter can serve requests.',
} as const;
export type AdapterRule = keyof typeof ADAPTER_RULES;
