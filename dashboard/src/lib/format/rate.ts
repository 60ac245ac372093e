import { numberFormat } from './formatters.ts';

/** Formats a rate: `99.5%`. Never `100%` when something failed, nor `0%` when something succeeded. */
export function formatRate(rate: number): string {
  const tenths = Math.round(rate * 1000);
  const honest = rate < 1 && tenths === 1000 ? 999 : rate > 0 && tenths === 0 ? 1 : tenths;
  return formatPercent(honest / 1000, 1);
}

/** A share of 1 in percent, with at most this many decimals: `0.25%`. */
export function formatPercent(share: number, decimals: number): string {
  const options = { style: 'percent', maximumFractionDigits: decimals } as const;
  return numberFormat(options).format(share);
}
