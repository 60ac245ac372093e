import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaymentRow } from '@tollgate/contracts/payment-history';
import type { Role } from '@tollgate/contracts/roles';
import { formatMoney } from '#lib/format/amount.ts';
import { type BulkChoice, type BulkResult, countOfPayments } from '#lib/payments/bulk-view.ts';
import type { AdminClient } from '../admin-client.ts';
import { AdminProblem } from '../admin-problem.ts';
import type { Failure } from './outcome-form.ts';
import { mayCancel, settledBy } from './payment-permissions.ts';

/** Requests at the same time, far below the limit of a member. */
const CONCURRENCY = 8;

/** A change of one payment, which a bulk action makes for each. */
export interface BulkAction {
  verb: string;
  note: string;
  /** Whether the member chooses why the payments failed. */
  needsFailure: boolean;
  appliesTo(payment: PaymentRow, role: Role): boolean;
  /** Returns what happened. `failure` is null unless it is needed. */
  change(admin: AdminClient, paymentId: string, failure: Failure | null): Promise<string>;
}

const NOTIFIED = 'Applications are notified. This cannot be undone.';

export const BULK_ACTIONS: Record<string, BulkAction> = {
  succeed: settlement('Mark as succeeded:', 'succeeded'),
  fail: settlement('Mark as failed:', 'failed'),
  'simulate-success': simulation('Simulate success:', 'succeeded'),
  'simulate-failure': simulation('Simulate failure:', 'failed'),
  cancel: {
    verb: 'Cancel:',
    note: NOTIFIED,
    needsFailure: false,
    appliesTo: mayCancel,
    async change(admin, payment_id) {
      const { status } = await admin.call(ADMIN_ROUTES.cancelPayment, { payment_id });
      return status === 'canceled' ? 'Canceled' : 'Cancellation requested';
    },
  },
};

function settlement(verb: string, status: 'succeeded' | 'failed'): BulkAction {
  return {
    verb,
    note: NOTIFIED,
    needsFailure: status === 'failed',
    appliesTo: (payment, role) => settledBy(payment, role) === 'member',
    async change(admin, payment_id, failure) {
      const { approval_request } = await admin.call(ADMIN_ROUTES.settlePayment, {
        payment_id,
        outcome: outcomeOf(failure),
      });
      return approval_request === null ? `Marked as ${status}` : 'Approval requested';
    },
  };
}

function simulation(verb: string, status: 'succeeded' | 'failed'): BulkAction {
  return {
    verb,
    note: 'In the sandbox, you choose how a payment ends.',
    needsFailure: status === 'failed',
    appliesTo: (payment, role) => settledBy(payment, role) === 'simulation',
    async change(admin, payment_id, failure) {
      await admin.call(ADMIN_ROUTES.simulatePayment, { payment_id, outcome: outcomeOf(failure) });
      return `Simulated: ${status}`;
    },
  };
}

function outcomeOf(failure: Failure | null) {
  return failure ? { status: 'failed' as const, failure } : { status: 'succeeded' as const };
}

/** The actions that apply to at least one of the payments. */
export function bulkChoices(payments: readonly PaymentRow[], role: Role): BulkChoice[] {
  return Object.entries(BULK_ACTIONS).flatMap(([value, { verb, note, appliesTo }]) => {
    const affected = payments.filter((payment) => appliesTo(payment, role));
    if (affected.length === 0) return [];
    const label = `${verb} ${countOfPayments(affected.length)}`;
    return [{ value, label, description: `${totalOf(affected)}. ${note}` }];
  });
}

/** Changes each payment by a request of its own, which is checked and audited like a single one. Returns results by id. */
export async function runBulkAction(
  admin: AdminClient,
  action: BulkAction,
  payments: readonly PaymentRow[],
  { role, failure }: { role: Role; failure: Failure | null },
): Promise<Record<string, BulkResult>> {
  const results: Record<string, BulkResult> = {};
  for (let start = 0; start < payments.length; start += CONCURRENCY) {
    await Promise.all(
      payments.slice(start, start + CONCURRENCY).map(async (payment) => {
        results[payment.id] = action.appliesTo(payment, role)
          ? await changeOne(admin, action, payment.id, failure)
          : { ok: false, text: 'Not changed: this is not possible for the payment.' };
      }),
    );
  }
  return results;
}

async function changeOne(
  admin: AdminClient,
  action: BulkAction,
  paymentId: string,
  failure: Failure | null,
): Promise<BulkResult> {
  try {
    return { ok: true, text: await action.change(admin, paymentId, failure) };
  } catch (error) {
    if (!(error instanceof AdminProblem)) throw error;
    return { ok: false, text: error.detail };
  }
}

/** `120.00 EUR and 3.00 USD`. */
function totalOf(payments: readonly PaymentRow[]): string {
  const sums = new Map<string, number>();
  for (const { currency, amount } of payments) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums].map(([currency, amount]) => formatMoney(amount, currency)).join(' and ');
}
