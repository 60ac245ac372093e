import type { Actor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireEnvironment } from '@tollgate/security/require-environment';
import type { Context } from '../context.ts';
import type { PaymentDocument } from './payment.ts';

/** @throws Problem `not-found`, also for other teams' payments, and `forbidden` outside the actor's environments */
export async function findPayment(
  { store }: Pick<Context, 'store'>,
  actor: Actor,
  paymentId: string,
): Promise<PaymentDocument> {
  const payment = await store.findOfTeam(actor.team_id, paymentId);
  if (!payment) throw new Problem('not-found', 'The team has no payment with this ID.');
  requireEnvironment(actor, payment.environment);
  return payment;
}

/** The same error for unknown, malformed, and other applications' ids, so that it reveals nothing about what exists. */
export function paymentNotFound(): Problem {
  return new Problem(
    'payment-not-found',
    'This application has no payment with this ID in this environment.',
  );
}
