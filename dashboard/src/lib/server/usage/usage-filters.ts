import { DAY_MS } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { isId } from '@tollgate/contracts/platform/ids';
import {
  USAGE_GRANULARITIES,
  USAGE_OPERATIONS,
  USAGE_OUTCOMES,
  type UsageOperation,
  type UsageOutcome,
} from '@tollgate/contracts/usage/usage';
import { formatCount } from '#lib/format/number.ts';
import { type ActiveFilter, activeFilters, type Chip } from '#lib/server/filters/active-filters.ts';
import { parseTimeRange, TIME_RANGE_CHIPS, TIME_RANGE_NAMES } from '#lib/server/filters/time-range.ts';
import { listPath, type Typed } from '#lib/server/filters/typed-filters.ts';
import {
  OPERATION_LABELS,
  OUTCOME_LABELS,
  USAGE_BREAKDOWNS,
  USAGE_PERIODS,
  type UsageBreakdown,
  type UsagePeriod,
} from '#lib/usage/usage-labels.ts';
import { LONGEST_RANGE_DAYS, rangeBetween, rangeOfPeriod, type UsageRange } from './usage-range.ts';

/** Names of the filters, as fields of the form and of the address. `by` is the breakdown of the table, `per` the granularity. */
export const USAGE_FILTER_NAMES = [
  'application',
  'key',
  'operation',
  'outcome',
  'period',
  ...TIME_RANGE_NAMES,
  'per',
  'by',
] as const;
export type UsageFilterName = (typeof USAGE_FILTER_NAMES)[number];
export type TypedUsageFilters = Typed<UsageFilterName>;
export type UsageFilterErrors = Partial<Record<UsageFilterName, string>>;

/** The filters of the requests to count. */
export interface CountedUsage {
  application_id?: string;
  key_id?: string;
  operation?: UsageOperation;
  outcome?: UsageOutcome;
}

const DEFAULT_PERIOD: UsagePeriod = '24h';

/** The API query. `range` is null when there are errors to correct first. */
export function parseUsageFilters(
  typed: TypedUsageFilters,
  { timeZone, nowMs }: { timeZone: string; nowMs: number },
): { counted: CountedUsage; range: UsageRange | null; errors: UsageFilterErrors } {
  const errors: UsageFilterErrors = {};
  const counted = parseCounted(typed, errors);
  const range = parseRange(typed, { timeZone, nowMs }, errors);
  return { counted, range: Object.keys(errors).length === 0 ? range : null, errors };
}

function parseCounted(typed: TypedUsageFilters, errors: UsageFilterErrors): CountedUsage {
  const counted: CountedUsage = {};
  if (isId('application', typed.application)) counted.application_id = typed.application;
  else if (typed.application !== '') errors.application = 'Select an application.';
  if (isId('apiKey', typed.key)) counted.key_id = typed.key;
  else if (typed.key !== '') errors.key = 'Select an API key.';
  const operation = USAGE_OPERATIONS.find((candidate) => candidate === typed.operation);
  if (operation) counted.operation = operation;
  else if (typed.operation !== '') errors.operation = 'Select an operation.';
  const outcome = USAGE_OUTCOMES.find((candidate) => candidate === typed.outcome);
  if (outcome) counted.outcome = outcome;
  else if (typed.outcome !== '') errors.outcome = 'Select an outcome.';
  return counted;
}

/** Whether the range is a custom one rather than the last hour, day, week or month. */
export function isCustomRange(typed: TypedUsageFilters): boolean {
  return TIME_RANGE_NAMES.some((name) => typed[name] !== '');
}

export function periodOf(typed: TypedUsageFilters): UsagePeriod {
  return USAGE_PERIODS.find((candidate) => candidate === typed.period) ?? DEFAULT_PERIOD;
}

export function breakdownOf(typed: TypedUsageFilters): UsageBreakdown {
  return USAGE_BREAKDOWNS.find((candidate) => candidate === typed.by) ?? 'application';
}

function parseRange(
  typed: TypedUsageFilters,
  { timeZone, nowMs }: { timeZone: string; nowMs: number },
  errors: UsageFilterErrors,
): UsageRange | null {
  const granularity = USAGE_GRANULARITIES.find((candidate) => candidate === typed.per);
  if (!isCustomRange(typed)) return rangeOfPeriod(periodOf(typed), nowMs, granularity);
  const { created_from, created_to } = parseTimeRange(typed, timeZone, errors);
  if (errors.from || errors.to) return null;
  const toMs = created_to === undefined ? nowMs : Date.parse(created_to);
  const fromMs = created_from === undefined ? Math.min(toMs, nowMs) - DAY_MS : Date.parse(created_from);
  if (fromMs >= nowMs) {
    errors.from = 'The start must be in the past.';
    return null;
  }
  const range = rangeBetween(fromMs, toMs, nowMs, granularity);
  if (range === null) errors.to = `Select a range of at most ${formatCount(LONGEST_RANGE_DAYS)} days.`;
  return range;
}

/** The active filters, in the order of the form; names are by id. */
export function activeUsageFilters(
  typed: TypedUsageFilters,
  {
    environment,
    applicationNames,
    keyNames,
  }: {
    environment: Environment;
    applicationNames: ReadonlyMap<string, string>;
    keyNames: ReadonlyMap<string, string>;
  },
): ActiveFilter[] {
  const chips: Chip<UsageFilterName>[] = [
    {
      // Keys can only be selected within their application.
      label: 'Application',
      names: ['application', 'key'],
      say: ({ application }) => applicationNames.get(application) ?? application,
    },
    { label: 'API key', names: ['key'], say: ({ key }) => keyNames.get(key) ?? key },
    {
      label: 'Operation',
      names: ['operation'],
      say: ({ operation }) => labelOf(OPERATION_LABELS, operation),
    },
    { label: 'Outcome', names: ['outcome'], say: ({ outcome }) => labelOf(OUTCOME_LABELS, outcome) },
    ...(TIME_RANGE_CHIPS as readonly Chip<UsageFilterName>[]),
  ];
  return activeFilters(chips, typed, (others) => usagePath(environment, others));
}

/** The address of the page with these filters. A custom range replaces the period. */
export function usagePath(environment: Environment, typed: TypedUsageFilters): string {
  const period = isCustomRange(typed) || typed.period === DEFAULT_PERIOD ? '' : typed.period;
  return listPath(`/${environment}/usage`, USAGE_FILTER_NAMES, { ...typed, period });
}

function labelOf(labels: Record<string, string>, value: string): string {
  return labels[value] ?? value;
}
