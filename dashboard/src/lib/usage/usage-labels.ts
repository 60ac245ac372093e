import type { UsageGranularity, UsageOutcome } from '@tollgate/contracts/usage/usage';

export const USAGE_PERIODS = ['1h', '24h', '7d', '30d'] as const;
export type UsagePeriod = (typeof USAGE_PERIODS)[number];

export const PERIOD_LABELS: Record<UsagePeriod, string> = {
  '1h': '1 hour',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
};

export const OUTCOME_LABELS: Record<UsageOutcome, string> = {
  succeeded: 'Succeeded',
  replayed: 'Replayed',
  client_error: 'Client errors',
  rate_limited: 'Rate limited',
  server_error: 'Server errors',
  aborted: 'Canceled by client',
};

export const GRANULARITY_LABELS: Record<UsageGranularity, string> = {
  minute: 'Minutes',
  hour: 'Hours',
  day: 'Days',
};

/** The groupings of the table below the charts. */
export const USAGE_BREAKDOWNS = ['application', 'key', 'operation'] as const;
export type UsageBreakdown = (typeof USAGE_BREAKDOWNS)[number];

export const BREAKDOWN_LABELS: Record<UsageBreakdown, string> = {
  application: 'Applications',
  key: 'API keys',
  operation: 'Operations',
};
