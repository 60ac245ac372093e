import type { AdapterRule } from '@tollgate/processor-adapter/contract/rules';

/** What can happen in production when an adapter breaks a rule, and what its author does about it. */
export const ADVICE: Record<AdapterRule, { risk: string; fix: string }> = {
  'start-responds-with-state': {
    risk: 'Tollgate does not learn that the processor has the payment. The payer cannot pay, or pays a payment that Tollgate shows as open.',
    fix: 'Respond to POST /payments with 200 and one of the five statuses.',
  },
  'start-is-idempotent': {
    risk: 'Tollgate repeats a start whenever its response is lost. Each repeat can then charge the payer again.',
    fix: "Send the payment id as the processor's idempotency key, the same in every attempt. If the processor has no such keys, look for the payment before you create it.",
  },
  'start-rejects-with-422': {
    risk: 'Tollgate ends a payment with 422 as failed, and repeats any other response. A wrong status loses a payment that can be charged, or repeats one that never can.',
    fix: 'Respond with 422 and a failure only when the processor does not accept the payment.',
  },
  'errors-decide-nothing': {
    risk: 'The processor may have charged the payer, although Tollgate ends the payment as failed or canceled; or goods are shipped for a payment that was never charged.',
    fix: 'Throw an error, or respond with 5xx, for every response of the processor that you do not know. Never turn an error into a status.',
  },
  'status-is-current': {
    risk: 'Tollgate does not see that a payment was charged or has failed. It stays open until someone compares it with the processor.',
    fix: 'Ask the processor in every status call until the payment has a final status.',
  },
  'status-asks-again': {
    risk: 'The daily reconciliation compares Tollgate with a stored status, and finds no charge that Tollgate does not know.',
    fix: 'Ask the processor when the query is ask=processor, also about a payment that has ended.',
  },
  'status-of-unknown-is-404': {
    risk: 'Tollgate takes a payment that the processor never had for one that was started or has ended.',
    fix: 'Respond with 404 about a payment that was never started, and ask the processor nothing.',
  },
  'status-does-not-regress': {
    risk: 'Applications act on a final status once. A later status contradicts goods that were shipped, or a charge that was reported as failed.',
    fix: 'Store the final status, and return it from then on. Report a final status only when the processor cannot change it.',
  },
  'cancel-prevents-money': {
    risk: 'Tollgate reports the payment as canceled, and the payer can still be charged for it.',
    fix: 'Void the payment at the processor, and return the state that the processor reports afterwards.',
  },
  'cancel-too-late-reports-state': {
    risk: 'Tollgate does not learn that the payer has paid, and keeps asking for a cancellation that cannot succeed.',
    fix: 'When the processor does not cancel, read the payment and return its actual status with 200.',
  },
  'cancel-before-start-holds': {
    risk: 'A start that arrives after its cancellation charges the payer for a canceled payment.',
    fix: 'Store the cancellation of an unknown payment, and respond to a later start of it with canceled.',
  },
  'cancel-is-idempotent': {
    risk: 'Tollgate repeats a cancellation whose response is lost, and cannot tell whether money can still move.',
    fix: 'Respond to a repeated cancellation with the stored result.',
  },
  'action-has-url': {
    risk: 'The payer gets no page, and cannot pay.',
    fix: 'Return next_action with the type redirect and an http or https URL.',
  },
  'amounts-are-exact': {
    risk: 'The payer is charged another amount than the application asked for: a hundred times as much in JPY, or ten times in KWD.',
    fix: "Convert minor units with the decimals of the currency at the processor, in integers or text, and send the payment's currency.",
  },
  'success-has-amount': {
    risk: 'A part of the amount, or another currency, counts as the whole. Goods are shipped for money that was never received.',
    fix: 'Return the amount and the currency that the processor reports as received, in minor units. Do not copy them from the payment.',
  },
  'reversals-are-reported': {
    risk: 'Money goes back to the payer, and the books still contain it.',
    fix: 'Accept webhooks about refunds and disputes, and return all of refunded_amount and disputed_amount with succeeded.',
  },
  'failure-has-code': {
    risk: 'Tollgate cannot read the failure and keeps asking, and the application cannot tell the payer what to do.',
    fix: 'Return failure with a code in snake_case and a message.',
  },
  'requests-are-verified': {
    risk: 'Anyone who reaches the adapter can start and cancel payments.',
    fix: 'Verify the webhook-id, the timestamp, and the signature of the raw body before you read it.',
  },
  'requests-are-validated': {
    risk: 'The processor is asked for another payment than the one that Tollgate has stored.',
    fix: 'Compare each start with the schema, and with the content of an earlier start with the same id.',
  },
  'responses-are-signed': {
    risk: 'Tollgate ignores the response. Without this rule, anyone on the network could report a payment as succeeded.',
    fix: 'Sign responses with status 200, 404, and 422, with the webhook-id of the request.',
  },
  'unknown-fields-are-ignored': {
    risk: 'Every payment fails from the release of Tollgate on that adds a field.',
    fix: 'Ignore fields that you do not know.',
  },
  'responds-in-time': {
    risk: 'Tollgate gives up the call, and payments behind it wait.',
    fix: 'Set a deadline below 10 seconds for each request to the processor, and respond with 504 after it.',
  },
  'callbacks-are-signed': {
    risk: 'Tollgate learns only minutes later, when it asks, that a payer has paid.',
    fix: 'Send each change as a signed callback with the payment id and the whole state.',
  },
  'callbacks-are-repeated': {
    risk: 'A change that happens while Tollgate restarts is reported late, or counts as another change.',
    fix: 'Store the callback with its webhook-id, and send it until Tollgate responds with 2xx.',
  },
  'webhooks-are-verified': {
    risk: 'Anyone can report a payment as paid without paying, or genuine reports are lost.',
    fix: "Verify the raw body with the processor's library and the secret of the webhook, and respond with 401 to anything else.",
  },
  'health-is-reported': {
    risk: 'The platform restarts the adapter, or sends calls to one that cannot serve them.',
    fix: 'Respond to GET /healthz with 200 while the adapter can serve requests.',
  },
};
