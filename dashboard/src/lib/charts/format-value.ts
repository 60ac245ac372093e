import { formatLatency } from '#lib/format/latency.ts';
import { formatCount, formatDecimal } from '#lib/format/number.ts';
import { formatRate } from '#lib/format/rate.ts';
import type { ChartUnit } from './chart.ts';

/** Formats one value of a chart; a dash when there is none. */
export function formatValue(value: number | null | undefined, unit: ChartUnit): string {
  if (value === null || value === undefined) return '–';
  if (unit === 'share') return formatRate(value);
  if (unit === 'ms') return formatLatency(value);
  if (unit === 'count') return formatCount(value);
  return `${formatDecimal(value / 10 ** unit.decimals, unit.decimals)} ${unit.currency}`;
}
