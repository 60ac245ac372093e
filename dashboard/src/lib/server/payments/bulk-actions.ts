import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaymentRow } from '@tollgate/contracts/payments/payment-history';
import type { Role } from '@tollgate/contracts/platform/roles';
import { formatAmounts } from '#lib/format/amounts.ts';
import { countOf } from '#lib/format/number.ts';
import type { BulkResult } from '#lib/payments/bulk-view.ts';
import { mapInTurn } from '../map-in-turn.ts';
import type { Failure } from './outcome-form.ts';
import { mayCancel, settledBy } from './payment-permissions.ts';

/** What happened to a payment, and its status since then. */
type Change = Pick<BulkResult, 'text' | 'status'>;

/** A change of one payment, which a bulk action makes for each. */
export interface BulkAction {
  verb: string;
  note: string;
  /** Whether the member chooses why the payments failed. */
  needsFailure: boolean;
  appliesTo(payment: PaymentRow, role: Role): boolean;
  /** Returns what happened. `failure` is null unless it is needed. */
  change(admin: AdminClient, paymentId: string, failure: Failure | null): Promise<Change>;
}

const NOTIFIED = 'Applications are notified. This cannot be undone.';

export const BULK_ACTIONS: Record<string, BulkAction> = {
  succeed: ending('member', 'Mark as succeeded:', 'succeeded'),
  fail: ending('member', 'Mark as failed:', 'failed'),
  'simulate-success': ending('simulation', 'Simulate success:', 'succeeded'),
  'simulate-failure': ending('simulation', 'Simulate failure:', 'failed'),
  cancel: {
    verb: 'Cancel:',
    note: NOTIFIED,
    needsFailure: false,
    appliesTo: mayCancel,
    async change(admin, payment_id) {
      const { status } = await admin.call(ADMIN_ROUTES.cancelPayment, { payment_id });
      return { status, text: status === 'canceled' ? 'Canceled' : 'Cancellation requested' };
    },
  },
};

/** Settles live payments, or ends those of the sandbox. */
function ending(way: 'member' | 'simulation', verb: string, outcome: 'succeeded' | 'failed'): BulkAction {
  return {
    verb,
    note: way === 'member' ? NOTIFIED : 'In the sandbox, you choose how a payment ends.',
    needsFailure: outcome === 'failed',
    appliesTo: (payment, role) => settledBy(payment, role) === way,
    async change(admin, payment_id, failure) {
      const ended = failure ? { status: 'failed' as const, failure } : { status: 'succeeded' as const };
      const request = { payment_id, outcome: ended };
      if (way === 'simulation') {
        const { status } = await admin.call(ADMIN_ROUTES.simulatePayment, request);
        return { status, text: `Simulated: ${outcome}` };
      }
      const { approval_request, status } = await admin.call(ADMIN_ROUTES.settlePayment, request);
      return { status, text: approval_request === null ? `Marked as ${outcome}` : 'Approval requested' };
    },
  };
}

/** The actions that apply to at least one of the payments. */
export function bulkChoices(payments: readonly PaymentRow[], role: Role) {
  return Object.entries(BULK_ACTIONS).flatMap(([value, { verb, note, appliesTo }]) => {
    const affected = payments.filter((payment) => appliesTo(payment, role));
    if (affected.length === 0) return [];
    const label = `${verb} ${countOf(affected.length, 'payment')}`;
    /** The sum of their amounts, and what follows. */
    const description = `${formatAmounts(affected)}. ${note}`;
    return [{ value, label, description }];
  });
}

/** Changes each payment by a request of its own, which is checked and audited like a single one. Returns results by id. */
export async function runBulkAction(
  admin: AdminClient,
  action: BulkAction,
  payments: readonly PaymentRow[],
  { role, failure }: { role: Role; failure: Failure | null },
): Promise<Record<string, BulkResult>> {
  const results = await mapInTurn(payments, async (payment): Promise<[string, BulkResult]> => {
    const { id, status } = payment;
    if (!action.appliesTo(payment, role))
      return [id, { ok: false, status, text: 'Not changed: this is not possible for the payment.' }];
    try {
      return [id, { ok: true, ...(await action.change(admin, id, failure)) }];
    } catch (error) {
      if (!(error instanceof AdminProblem)) throw error;
      return [id, { ok: false, status, text: error.detail }];
    }
  });
  return Object.fromEntries(results);
}
