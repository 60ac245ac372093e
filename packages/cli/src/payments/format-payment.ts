import type { Payment } from '@tollgate/contracts/payments/payment';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import { visible } from '../visible.ts';

/** One line of a list. */
export function paymentLine({ id, status, created_at, reference, ...money }: PaymentLine): string {
  const columns = [created_at.slice(0, 19), id, status.padEnd('succeeded'.length), formatMoney(money)];
  if (reference !== null) columns.push(visible(reference));
  return columns.join('  ');
}

type PaymentLine = Pick<Payment, 'id' | 'status' | 'created_at' | 'reference' | 'amount' | 'currency'>;

/** The fields of a payment that say something, one on each line. */
export function paymentText(payment: Payment): string {
  const {
    id,
    status,
    environment,
    reference,
    purpose,
    next_action,
    failure,
    cancellation_reason,
    created_at,
  } = payment;
  const fields: Record<string, string | null | undefined> = {
    id,
    status,
    amount: formatMoney(payment),
    environment,
    reference,
    purpose,
    'next action': next_action && `open ${next_action.url}`,
    failure: failure && `${failure.code}: ${failure.message}`,
    'canceled because': cancellation_reason,
    created: created_at,
  };
  const shown = Object.entries(fields).filter(([, value]) => value != null);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${visible(String(value))}`).join('\n');
}

function formatMoney({ amount, currency }: Pick<Payment, 'amount' | 'currency'>): string {
  const exponent = CURRENCY_EXPONENTS.get(currency) ?? 0;
  const digits = String(amount).padStart(exponent + 1, '0');
  const major = digits.slice(0, digits.length - exponent);
  return `${exponent === 0 ? major : `${major}.${digits.slice(-exponent)}`} ${currency}`;
}
