import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaymentDetail } from '@tollgate/contracts/payments/payment-history';
import type { Role } from '@tollgate/contracts/platform/roles';
import { allows } from '#lib/server/access.ts';
import { orNull } from '#lib/server/or-null.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { nameCauses } from './name-causes.ts';
import { isOpen, mayCancel, settledBy, wayOfSettling } from './payment-permissions.ts';
import { withReversals } from './with-reversals.ts';

/** A payment has few events. With many endpoints, only the newest deliveries are shown. */
const EVENTS_LIMIT = 100;

/** Loads a payment with everything that its page and the drawer show. Throws AdminProblem `not-found`. */
export async function loadPaymentView(admin: AdminClient, paymentId: string, me: { id: string; role: Role }) {
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
    /** Oldest first. */
    timeline: withReversals(steps, timeline.reversals, payment.processor),
    /** Null while the applications service is unavailable. */
    applicationName: application?.name ?? null,
    settledBy: settledBy(payment, role),
    ...rules,
    /** Whether the payment can be canceled, and this member may cancel it. */
    mayCancel: mayCancel(payment, role),
    /** Whether the payment has ended, has its personal data, and this member may erase it. */
    mayErase: mayErase(payment, role),
    /** Whether this member may record what was done about a difference. */
    mayResolveDifference: allows(ADMIN_ROUTES.resolveDifference, role, payment.environment),
    events,
    /** Newest first; a message when they could not be loaded. */
    processorCalls,
  };
}

function mayErase({ status, environment, erased_at }: PaymentDetail, role: Role): boolean {
  if (isOpen(status) || erased_at !== null) return false;
  return allows(ADMIN_ROUTES.erasePayment, role, environment);
}

/** Loads the events of a payment with their deliveries, oldest first, as in its timeline. Throws AdminProblem. */
async function listPaymentEvents(admin: AdminClient, payment_id: string) {
  const [events, deliveries] = await Promise.all([
    admin.call(ADMIN_ROUTES.listEvents, { payment_id, limit: EVENTS_LIMIT }),
    admin.call(ADMIN_ROUTES.listDeliveries, { payment_id, limit: EVENTS_LIMIT }),
  ]);
  const byEvent = Map.groupBy(deliveries.data, ({ event_id }) => event_id);
  return events.data.toReversed().map((event) => ({ ...event, deliveries: byEvent.get(event.id) ?? [] }));
}

/** What the approval policy of the team means for a payment. It applies to open live payments that members settle. */
async function loadSettlementRules(
  admin: AdminClient,
  payment: PaymentDetail,
  me: { id: string; role: Role },
) {
  if (!isOpen(payment.status) || wayOfSettling(payment) !== 'member')
    return { approval: null, approvalAbove: null };
  const { id, amount, currency } = payment;
  const [{ thresholds }, requests] = await Promise.all([
    admin.call(ADMIN_ROUTES.getApprovalPolicy, {}),
    admin.call(ADMIN_ROUTES.listApprovalRequests, { payment_id: id, limit: 1 }),
  ]);
  const threshold = thresholds.find((candidate) => candidate.currency === currency);
  const newest = requests.data[0];
  // After an approval that was interrupted, the payment is still open.
  const isUndecided = newest?.status === 'open' || newest?.status === 'approved';
  return {
    /** The request for a settlement that waits for a second member; null if there is none. */
    approval:
      newest && isUndecided
        ? {
            request: newest,
            /** Whether this member requested it, and so cannot approve it. */
            isOwn: newest.requested_by.id === me.id,
            mayDecide: allows(ADMIN_ROUTES.approveSettlement, me.role),
          }
        : null,
    /** In minor units: the payment is above this amount, so that settling it needs a second member. Null if it needs none. */
    approvalAbove: threshold && amount > threshold.amount ? threshold.amount : null,
  };
}
