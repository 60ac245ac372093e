import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaymentDetail } from '@tollgate/contracts/payments/payment-history';
import type { Role } from '@tollgate/contracts/platform/roles';
import type { PaymentView } from '#lib/payments/payment-view.ts';
import { allows } from '#lib/server/access.ts';
import { orNull } from '#lib/server/or-null.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { nameCauses } from './name-causes.ts';
import { listPaymentEvents } from './payment-events.ts';
import { isOpen, mayCancel, settledBy } from './payment-permissions.ts';
import { loadSettlementRules } from './settlement-rules.ts';
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
    pagePart(
      'processorCalls',
      admin.call(ADMIN_ROUTES.listProcessorCalls, { payment_id: paymentId }).then(({ data }) => data),
    ),
    loadSettlementRules(admin, payment, me),
  ]);
  return {
    payment,
    timeline: withReversals(steps, timeline.reversals, payment.processor),
    applicationName: application?.name ?? null,
    settledBy: settledBy(payment, role),
    ...rules,
    mayCancel: mayCancel(payment, role),
    mayErase: mayErase(payment, role),
    mayResolveDifference: allows(ADMIN_ROUTES.resolveDifference, role, payment.environment),
    events,
    processorCalls,
  };
}

function mayErase({ status, environment, erased_at }: PaymentDetail, role: Role): boolean {
  if (isOpen(status) || erased_at !== null) return false;
  return allows(ADMIN_ROUTES.erasePayment, role, environment);
}
