import { DAY_MS } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { USAGE_GRANULARITIES, type UsageOperation, type UsageOutcome } from '@tollgate/contracts/usage/usage';
import { formatCount } from '#lib/format/number.ts';
import {
  applicationFilter,
  choiceFilter,
  type Filter,
  idFilter,
  textFilter,
  type Values,
} from '#lib/server/list/filter.ts';
import { listPath, type ReadFilters, readFilters, readValues } from '#lib/server/list/read-filters.ts';
import { type TimeRange, timeRange } from '#lib/server/list/time-range.ts';
import { operationFilter } from '#lib/server/requests/request-filters.ts';
import {
  OUTCOME_LABELS,
  USAGE_BREAKDOWNS,
  USAGE_PERIODS,
  type UsageBreakdown,
  type UsagePeriod,
} from '#lib/usage/usage-labels.ts';
import { LONGEST_RANGE_DAYS, rangeBetween, rangeOfPeriod, type UsageRange } from './usage-range.ts';

/** The filters of the requests to count. */
export interface CountedUsage {
  application_id?: string;
  key_id?: string;
  operation?: UsageOperation;
  outcome?: UsageOutcome;
}

const DEFAULT_PERIOD: UsagePeriod = '24h';

export const USAGE_FILTERS: readonly Filter<CountedUsage & TimeRange>[] = [
  // Keys can only be selected within their application.
  { ...applicationFilter, chips: [{ label: 'Application', names: ['application', 'key'] }] },
  idFilter('apiKey', { name: 'key', label: 'API key', control: 'select', any: 'All' }, 'Select an API key.'),
  operationFilter,
  choiceFilter({ name: 'outcome', label: 'Outcome', labels: OUTCOME_LABELS }, 'Select an outcome.'),
  hidden('period'),
  timeRange('Completed', (range) => range),
  hidden('per'),
  hidden('by'),
];

/** Reads the filters from an address. The range is null when there are errors to correct first. */
export function readUsageFilters(
  query: URLSearchParams,
  { timeZone, nowMs }: { timeZone: string; nowMs: number },
) {
  const read = readFilters(USAGE_FILTERS, query, timeZone);
  const values = tidy(read.values);
  const { from, to, ...request } = read.request;
  const range = read.isValid ? readRange(values, { from, to }, nowMs, read.errors) : null;
  return { ...read, values, request, isValid: range !== null, range };
}

/** Whether the range is a custom one rather than the last hour, day, week or month. */
export function isCustomRange(values: Values): boolean {
  return ['from', 'from_time', 'to', 'to_time'].some((name) => values.has(name));
}

export function periodOf(values: Values): UsagePeriod {
  return USAGE_PERIODS.find((candidate) => candidate === values.get('period')) ?? DEFAULT_PERIOD;
}

export function breakdownOf(values: Values): UsageBreakdown {
  return USAGE_BREAKDOWNS.find((candidate) => candidate === values.get('by')) ?? 'application';
}

/** The address of the page with some of its values changed. An empty value removes one. */
export function usagePath(
  environment: Environment,
  values: Values,
  changes: Record<string, string> = {},
): string {
  const changed = new URLSearchParams({ ...Object.fromEntries(values), ...changes });
  return listPath(`/${environment}/usage`, tidy(readValues(USAGE_FILTERS, changed)));
}

/** A custom range replaces the period, and the default period is not in an address. */
function tidy(values: Values): Values {
  const isOmitted = isCustomRange(values) || values.get('period') === DEFAULT_PERIOD;
  return new URLSearchParams([...values].filter(([name]) => name !== 'period' || !isOmitted));
}

/** Chosen by tabs. */
function hidden(name: string): Filter<CountedUsage> {
  return textFilter({ name, label: '', control: 'hidden', isView: true }, '', () => ({}));
}

function readRange(
  values: Values,
  { from, to }: TimeRange,
  nowMs: number,
  errors: ReadFilters<CountedUsage>['errors'],
): UsageRange | null {
  const granularity = USAGE_GRANULARITIES.find((candidate) => candidate === values.get('per'));
  if (!isCustomRange(values)) return rangeOfPeriod(periodOf(values), nowMs, granularity);
  const toMs = to === undefined ? nowMs : Date.parse(to);
  const fromMs = from === undefined ? Math.min(toMs, nowMs) - DAY_MS : Date.parse(from);
  if (fromMs >= nowMs) {
    errors['from'] = 'The start must be in the past.';
    return null;
  }
  const range = rangeBetween(fromMs, toMs, nowMs, granularity);
  if (range === null) errors['to'] = `Select a range of at most ${formatCount(LONGEST_RANGE_DAYS)} days.`;
  return range;
}
