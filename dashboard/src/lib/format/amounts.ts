import { formatMoney } from './amount.ts';

/** `120.00 EUR and 3.00 USD` */
export function formatAmounts(amounts: readonly { currency: string; amount: number }[]): string {
  const sums = new Map<string, number>();
  for (const { currency, amount } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  const texts = [...sums].map(([currency, amount]) => formatMoney(amount, currency));
  return new Intl.ListFormat('en').format(texts);
}
