import { formatLatency } from '#lib/format/latency.ts';
import { formatCount } from '#lib/format/number.ts';
import { formatRate } from '#lib/format/rate.ts';
import type { UsageChart } from '#lib/server/usage/usage-charts.ts';

/** Formats one value of a chart; a dash when there is none. */
export function formatValue(value: number | null | undefined, unit: UsageChart['unit']): string {
  if (value === null || value === undefined) return '–';
  if (unit === 'share') return formatRate(value);
  return unit === 'ms' ? formatLatency(value) : formatCount(value);
}
