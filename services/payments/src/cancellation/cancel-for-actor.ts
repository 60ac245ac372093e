import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { CancellationReason } from '@tollgate/contracts/payments/payment';
import type { PaymentDetail } from '@tollgate/contracts/payments/payment-history';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import { causeOfActor } from '../lifecycle/cause-of-actor.ts';
import { paymentDetail } from '../lifecycle/payment-detail.ts';
import { paymentNotFoundInTeam } from '../lifecycle/payment-not-found.ts';
import { retryUntilConfirmed } from '../store/retry-until-confirmed.ts';
import {
  assertCanceled,
  type CancelPaymentDeps,
  cancelOrRequest,
  cancelUntilConfirmed,
} from './cancel-payment.ts';

/** Below the deadline of the RPC. The call to the processor continues after that. */
const MEMBER_WAITS_MS = 3 * SECOND_MS;

/**
 * Cancels a pending payment for a member or an API token, under the rules for applications: if its processor has started
 * it, the processor decides, and the payment is pending until it has. Repeating the request is safe at every point.
 *
 * @throws Problem `not-found` (also for other teams' payments), `forbidden`, `payment-not-cancelable`, `unavailable`
 */
export async function cancelForActor(
  deps: CancelPaymentDeps,
  request: { actor: Actor; paymentId: string; reason: CancellationReason | null; requestId: string | null },
): Promise<PaymentDetail> {
  const { actor, paymentId, reason, requestId } = request;
  const payment = await retryUntilConfirmed(async () => {
    const found = await deps.store.findOfTeam(actor.team_id, paymentId);
    if (!found) throw paymentNotFoundInTeam();
    requireEnvironment(actor, found.environment);
    requireRole(actor, ROLE_BY_ENVIRONMENT[found.environment], `cancel ${found.environment} payments`);
    const changed = await cancelOrRequest(deps, found, {
      cause: causeOfActor(actor),
      requestId,
      reason,
      cancelKey: null,
    });
    return changed && cancelUntilConfirmed(deps, changed, MEMBER_WAITS_MS);
  });
  assertCanceled(payment);
  return paymentDetail(payment);
}
