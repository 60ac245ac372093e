import type { Form } from '#lib/server/form.ts';

export interface Failure {
  code: string;
  message: string;
}

/** The content of the form: `outcome`, and for a failure `code` (or `custom_code` and `custom_message`). */
export type Outcome =
  | { status: 'succeeded' }
  | { status: 'failed'; failure: Failure }
  | { status: 'expired' };

/** Form fields whose names differ from the request's. */
export const OUTCOME_FIELDS = {
  '/outcome/failure/code': 'custom_code',
  '/outcome/failure/message': 'custom_message',
};

/** The same messages as those of the sandbox processor. */
const FAILURES = new Map([
  ['declined', 'The payment was declined.'],
  ['insufficient_funds', 'The payer has insufficient funds.'],
]);

const CODE = /^[a-z][a-z0-9_]{0,63}$/;

export function readOutcome(form: Form): { outcome: Outcome } | { errors: Record<string, string> } {
  const status = form.text('outcome');
  if (status === 'succeeded' || status === 'expired') return { outcome: { status } };
  if (status !== 'failed') return { errors: { outcome: 'Select an outcome.' } };
  const read = readFailure(form);
  return 'errors' in read ? read : { outcome: { status, failure: read.failure } };
}

/** Why payments fail, in the form's own fields. */
export function readFailure(form: Form): { failure: Failure } | { errors: Record<string, string> } {
  const chosen = form.text('failure');
  const message = FAILURES.get(chosen);
  if (message !== undefined) return { failure: { code: chosen, message } };

  const code = form.text('custom_code');
  const custom = form.text('custom_message');
  const errors: Record<string, string> = {};
  if (!CODE.test(code)) {
    errors['custom_code'] =
      'Use lowercase letters, digits, and underscores, starting with a letter, for example card_expired.';
  }
  if (custom === '') errors['custom_message'] = 'Enter the reason the payment failed.';
  return Object.keys(errors).length > 0 ? { errors } : { failure: { code, message: custom } };
}
