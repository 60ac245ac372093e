import type { PaymentState } from '@tollgate/processor-adapter/contract/payment-state';
import type Stripe from 'stripe';
import { fromStripeAmount } from './stripe-amount.ts';
import { ask, type StripeClient, StripeFailure } from './stripe-client.ts';

/** A dispute with one of these statuses takes no money from the account: `warning_…` are inquiries. */
const WITHOUT_MONEY: readonly string[] = [
  'won',
  'prevented',
  'warning_closed',
  'warning_needs_response',
  'warning_under_review',
];

type Reversals = Pick<PaymentState, 'refunded_amount' | 'disputed_amount'>;

/** What was refunded or disputed of an intent that succeeded. Lacks what the restricted key may not read. */
export async function reversalsOf(
  stripe: StripeClient,
  { status, latest_charge }: Stripe.PaymentIntent,
  signal: AbortSignal,
): Promise<Reversals> {
  if (status !== 'succeeded' || latest_charge === null) return {};
  const id = typeof latest_charge === 'string' ? latest_charge : latest_charge.id;
  const charge = await ask(signal, () => stripe.charges.retrieve(id)).catch(unlessForbidden);
  if (charge === null) return {};
  const refunded_amount = fromStripeAmount(charge.amount_refunded, charge.currency);
  if (!charge.disputed) return { refunded_amount, disputed_amount: 0 };
  const disputes = await ask(signal, () => stripe.disputes.list({ charge: id, limit: 100 })).catch(
    unlessForbidden,
  );
  if (disputes === null) return { refunded_amount };
  const disputed_amount = disputes.data
    .filter((dispute) => !WITHOUT_MONEY.includes(dispute.status))
    .reduce((sum, { amount, currency }) => sum + fromStripeAmount(amount, currency), 0);
  return { refunded_amount, disputed_amount };
}

/** A restricted key of an earlier set-up may not read charges or disputes. Payments must still succeed. */
function unlessForbidden(error: unknown): null {
  if (error instanceof StripeFailure && error.status === 403) return null;
  throw error;
}
