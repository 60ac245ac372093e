import { SUMMARY_PERIODS, type SummaryPeriod } from '@tollgate/contracts/payments/payment-history';

/** The period that the address of the home page names. */
export function homePeriod(url: URL): SummaryPeriod {
  const named = url.searchParams.get('period');
  return SUMMARY_PERIODS.find((period) => period === named) ?? '24h';
}
