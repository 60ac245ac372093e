const HOUR_S = 60 * 60;
const DAY_S = 24 * HOUR_S;

/** How long the old secret signs beside the new one. The value is in seconds, as the admin API takes it. */
export const SECRET_OVERLAPS = [
  { value: '0', label: 'No overlap', description: 'The old secret ends now. For one that may have leaked.' },
  { value: String(HOUR_S), label: '1 hour', description: 'For what you replace right away.' },
  { value: String(DAY_S), label: '24 hours', description: 'Time for a deployment.' },
  { value: String(3 * DAY_S), label: '3 days', description: 'Over a weekend.' },
  { value: String(7 * DAY_S), label: '7 days', description: 'When others have to replace it, too.' },
] as const;

export const DEFAULT_SECRET_OVERLAP = String(DAY_S);
