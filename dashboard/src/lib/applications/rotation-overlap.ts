import { DAY_S, HOUR_S } from '@tollgate/contracts/platform/durations';

export const NO_OVERLAP = '0';

/** Options for how long the old key keeps working after a rotation. The value is in seconds, as in the admin API. */
export const ROTATION_OVERLAPS = [
  {
    value: NO_OVERLAP,
    label: 'No overlap',
    description: 'The old key stops working immediately. Choose this if the key may have leaked.',
  },
  { value: String(HOUR_S), label: '1 hour', description: 'If you can update immediately' },
  { value: String(DAY_S), label: '24 hours', description: 'Enough time for a deployment' },
  { value: String(7 * DAY_S), label: '7 days', description: 'If other teams also use the key' },
] as const;

export const DEFAULT_ROTATION_OVERLAP = String(DAY_S);
