import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaymentDetail } from '@tollgate/contracts/payments/payment-history';
import type { ProcessorCall } from '@tollgate/contracts/payments/processors';
import type { Role } from '@tollgate/contracts/platform/roles';
import type { PaymentView } from '#lib/payments/payment-view.ts';
import { orNull } from '#lib/server/or-null.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { nameCauses } from './name-causes.ts';
import { listPaymentEvents } from './payment-events.ts';
import { isOpen, mayCancel, settledBy, wayOfSettling } from './payment-permissions.ts';
import { loadSettlementRules, type SettlementRules } from './settlement-rules.ts';
import { withReversals } from './with-reversals.ts';

/** Loads a payment with everything that its page and the drawer show. Throws AdminProblem `not-found`. */
export async function loadPaymentView(
  admin: AdminClient,
  paymentId: string,
  me: { id: string; role: Role },
): Promise<PaymentView> {
  const { role } = me;
  const [payment, timeline] = await Promise.all([
    admin.call(ADMIN_ROUTES.getPayment, { payment_id: paymentId }),
    admin.call(ADMIN_ROUTES.getTimeline, { payment_id: paymentId }),
  ]);
  const [steps, application, events, processorCalls, rules] = await Promise.all([
    nameCauses(admin, payment, timeline.data, role),
    orNull(admin.call(ADMIN_ROUTES.getApplication, { application_id: payment.application_id })),
    pagePart('webhooks', listPaymentEvents(admin, paymentId)),
    pagePart('processorCalls', listProcessorCalls(admin, paymentId)),
    isSettledByMembers(payment) ? loadSettlementRules(admin, payment, me) : NO_RULES,
  ]);
  return {
    payment,
    timeline: withReversals(steps, timeline.reversals, payment.processor),
    applicationName: application?.name ?? null,
    settledBy: settledBy(payment, role),
    ...rules,
    mayCancel: mayCancel(payment, role),
    mayErase: mayErase(payment, role),
    mayResolveDifference: roleAllows(ADMIN_ROUTES.resolveDifference.access, role, payment.environment),
    events,
    processorCalls,
  };
}

const NO_RULES: SettlementRules = { approval: null, approvalAbove: null };

function isSettledByMembers(payment: PaymentDetail): boolean {
  return isOpen(payment.status) && wayOfSettling(payment) === 'member';
}

/** Oldest first, as the timeline. */
async function listProcessorCalls(admin: AdminClient, paymentId: string): Promise<ProcessorCall[]> {
  const { data } = await admin.call(ADMIN_ROUTES.listProcessorCalls, { payment_id: paymentId });
  return data;
}

function mayErase({ status, environment, erased_at }: PaymentDetail, role: Role): boolean {
  if (isOpen(status) || erased_at !== null) return false;
  return roleAllows(ADMIN_ROUTES.erasePayment.access, role, environment);
}
