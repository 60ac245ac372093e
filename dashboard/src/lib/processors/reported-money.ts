import type { PaymentDifference } from '@tollgate/contracts/payments/payment-difference';
import { formatMoney } from '#lib/format/amount.ts';

/** What a processor says about the money of a payment: an amount that is not the payment's, refunds, and disputes. */
export function reportedMoney(difference: PaymentDifference): string[] {
  const { amount, currency, processor_amount, refunded_amount, disputed_amount } = difference;
  const reportedCurrency = difference.processor_currency ?? currency;
  const isOther = processor_amount !== amount || reportedCurrency !== currency;
  const parts: [number | null, boolean, string][] = [
    [processor_amount, isOther, ''],
    [refunded_amount, true, ' refunded'],
    [disputed_amount, true, ' disputed'],
  ];
  // Zero says nothing.
  return parts.flatMap(([money, isShown, what]) =>
    money && isShown ? [`${formatMoney(money, reportedCurrency)}${what}`] : [],
  );
}
