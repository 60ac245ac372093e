/// <reference lib="esnext.temporal" />

/** Periods that a filter offers by name, in the member's zone. */
export const PAYMENT_PERIODS = {
  today: 'Today',
  month: 'This month',
  last_month: 'Last month',
} as const;
export type PaymentPeriod = keyof typeof PAYMENT_PERIODS;

export function isPaymentPeriod(text: string): text is PaymentPeriod {
  return Object.hasOwn(PAYMENT_PERIODS, text);
}

/** The first and the last day, such as `2026-11-01`. */
export function daysOf(
  period: PaymentPeriod,
  nowMs: number,
  timeZone: string,
): { from: string; to: string } {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate();
  if (period === 'today') return { from: today.toString(), to: today.toString() };
  const first = today.with({ day: 1 }).subtract({ months: period === 'last_month' ? 1 : 0 });
  return { from: first.toString(), to: first.add({ months: 1 }).subtract({ days: 1 }).toString() };
}
