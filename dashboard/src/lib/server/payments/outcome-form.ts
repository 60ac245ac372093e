import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import type { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Form } from '#lib/server/form.ts';

type Outcome = RouteRequest<typeof ADMIN_ROUTES.simulatePayment>['outcome'];
export type Failure = NonNullable<Outcome['failure']>;

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

/** Reads `outcome`, and for a failure its fields. Rejects the form when one must be corrected. */
export function readOutcome(form: Form): Outcome {
  const status = form.text('outcome');
  if (status === 'failed') return { status, failure: readFailure(form) };
  if (status !== 'succeeded' && status !== 'expired') form.reject('outcome', 'Select an outcome.');
  return { status } as Outcome;
}

/** Why payments fail: `failure`, or `custom_code` and `custom_message`. Rejects the form when a field must be corrected. */
export function readFailure(form: Form): Failure {
  const chosen = form.text('failure');
  const message = FAILURES.get(chosen);
  if (message !== undefined) return { code: chosen, message };

  const code = form.text('custom_code');
  if (!CODE.test(code)) {
    form.reject(
      'custom_code',
      'Use lowercase letters, digits, and underscores, starting with a letter, for example card_expired.',
    );
  }
  return { code, message: form.required('custom_message', 'Enter the reason the payment failed.') };
}
