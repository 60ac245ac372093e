import { numberFormat } from './formatters.ts';
import { currentLocale } from './locale.ts';

/** `1,203` */
export function formatCount(count: number): string {
  return numberFormat().format(count);
}

/** `1 attempt`, `1,203 attempts` */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** A number with a fixed number of decimals: `2.0`. */
export function formatDecimal(value: number, decimals: number): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return numberFormat(digits).format(value);
}

/**
 * Short, for the axes of charts: `8M`, `1.5K`. English is always that of the US: elsewhere, a million is `8m`, which
 * reads as minutes or meters.
 */
export function formatCompact(value: number): string {
  const locale = currentLocale();
  const options = { notation: 'compact', maximumFractionDigits: 1 } as const;
  return numberFormat(options, /^en\b/.test(locale) ? 'en-US' : locale).format(value);
}
