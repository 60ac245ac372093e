import { type Actor, roleAtLeast } from '@tollgate/contracts/actor';
import type { Environment } from '@tollgate/contracts/environment';
import type { Payment } from '@tollgate/contracts/payment';
import { Problem } from '@tollgate/contracts/problem';
import type { Clock } from '@tollgate/service-kit/clock';
import { MANUAL_PROCESSOR } from './manual-processor.ts';
import type { PaymentDocument, SettlementOutcome } from './payment.ts';
import { paymentAtVersion } from './payment-at-version.ts';
import type { PaymentOutbox } from './payment-outbox.ts';
import type { PaymentStore } from './payment-store.ts';
import { claimPayment, finishSettlement } from './settlement.ts';

/** Settlement in live moves real money. */
const REQUIRED_ROLE = { live: 'admin', sandbox: 'developer' } as const;

export interface SettlePaymentRequest {
  actor: Actor;
  applicationId: string;
  paymentId: string;
  outcome: SettlementOutcome;
}

/**
 * A member settles a pending payment of the manual processor. Repeating a decision that was carried out answers the payment as it is.
 *
 * @throws Problem `not-found` (also for other teams' payments), `forbidden`, `conflict`
 */
export async function settlePayment(
  deps: { store: PaymentStore; outbox: PaymentOutbox; clock: Clock },
  { actor, applicationId, paymentId, outcome }: SettlePaymentRequest,
): Promise<Payment> {
  const { store, outbox, clock } = deps;
  const owner = { application_id: applicationId, team_id: actor.team_id };
  const payment = await store.find(owner, paymentId);
  if (!payment) throw new Problem('not-found', 'The team has no such payment.');
  assertRole(actor, payment.environment);
  assertManual(payment);

  const cause = { type: 'member', id: actor.member_id, address: actor.address } as const;
  const decision = { outcome, cause };
  const claimed =
    payment.status === 'pending'
      ? await claimPayment(store, payment, { now: new Date(clock.now()), cause, decision })
      : null;
  if (!claimed) return answerUnclaimed(await store.find(owner, paymentId), outcome);
  outbox.enqueueLatest(claimed);

  const finished = await finishSettlement(store, claimed, outcome, { now: new Date(clock.now()), cause });
  // A worker that found the lease at its end has carried out the same decision.
  if (!finished) return answerUnclaimed(await store.find(owner, paymentId), outcome);
  outbox.enqueueLatest(finished);
  return paymentAtVersion(finished);
}

function assertRole(actor: Actor, environment: Environment): void {
  const required = REQUIRED_ROLE[environment];
  if (roleAtLeast(actor.role, required)) return;
  throw new Problem('forbidden', `Settling ${environment} payments needs the role ${required}.`);
}

function assertManual({ settlement }: PaymentDocument): void {
  if (settlement.processor === MANUAL_PROCESSOR) return;
  throw new Problem(
    'conflict',
    `The processor "${settlement.processor}" settles this payment; members settle payments of the processor "${MANUAL_PROCESSOR}" only.`,
  );
}

function answerUnclaimed(payment: PaymentDocument | null, outcome: SettlementOutcome): Payment {
  if (!payment) throw new Problem('not-found', 'The team has no such payment.');
  if (isResult(payment, outcome)) return paymentAtVersion(payment);
  throw new Problem('conflict', `The payment is ${payment.status}; only pending payments can be settled.`);
}

function isResult(payment: PaymentDocument, outcome: SettlementOutcome): boolean {
  if (payment.status !== outcome.status) return false;
  return outcome.status === 'succeeded' || payment.failure?.code === outcome.failure.code;
}
