import { DAY_S, HOUR_S } from '@tollgate/contracts/platform/durations';

/**
 * Options for how long the old secret keeps signing beside the new one. The value is in seconds, as in the admin API.
 */
export const SECRET_OVERLAPS = [
  {
    value: '0',
    label: 'No overlap',
    description: 'The old secret expires immediately. Choose this if the secret may have leaked.',
  },
  { value: String(HOUR_S), label: '1 hour', description: 'If you can update immediately' },
  { value: String(DAY_S), label: '24 hours', description: 'Enough time for a deployment' },
  { value: String(3 * DAY_S), label: '3 days', description: 'Enough time for a weekend' },
  { value: String(7 * DAY_S), label: '7 days', description: 'If other teams also use the secret' },
] as const;

export const DEFAULT_SECRET_OVERLAP = String(DAY_S);
