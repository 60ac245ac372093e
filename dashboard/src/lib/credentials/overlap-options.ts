import { DAY_S, HOUR_S } from '@tollgate/contracts/platform/durations';

export const NO_OVERLAP = '0';
export const DEFAULT_OVERLAP = String(DAY_S);

/**
 * Options for how long an old key or signing secret keeps working beside its replacement. The value is in seconds, as in the admin API.
 */
export function overlapOptions(noun: 'key' | 'secret') {
  return [
    {
      value: NO_OVERLAP,
      label: 'No overlap',
      description: `The old ${noun} stops working immediately. Choose this if the ${noun} may have leaked.`,
    },
    { value: String(HOUR_S), label: '1 hour', description: 'If you can update immediately' },
    { value: DEFAULT_OVERLAP, label: '24 hours', description: 'Enough time for a deployment' },
    { value: String(3 * DAY_S), label: '3 days', description: 'Enough time for a weekend' },
    { value: String(7 * DAY_S), label: '7 days', description: `If other teams also use the ${noun}` },
  ];
}
