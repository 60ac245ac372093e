import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaymentDetail } from '@tollgate/contracts/payments/payment-history';
import type { Role } from '@tollgate/contracts/platform/roles';
import type { PaymentView } from '#lib/payments/payment-view.ts';
import { allows } from '#lib/server/access.ts';
import { isOpen, wayOfSettling } from './payment-permissions.ts';

/** What the approval policy of the team means for a payment. It applies to open live payments that members settle. */
export async function loadSettlementRules(
  admin: AdminClient,
  payment: PaymentDetail,
  me: { id: string; role: Role },
): Promise<Pick<PaymentView, 'approval' | 'approvalAbove'>> {
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
    approval:
      newest && isUndecided
        ? {
            request: newest,
            isOwn: newest.requested_by.id === me.id,
            mayDecide: allows(ADMIN_ROUTES.approveSettlement, me.role),
          }
        : null,
    approvalAbove: threshold && amount > threshold.amount ? threshold.amount : null,
  };
}
