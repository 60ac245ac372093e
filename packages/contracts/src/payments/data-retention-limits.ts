import { DEAD_LETTER_RETENTION_DAYS } from '../platform/dead-letter-retention.ts';

/**
 * At least as long as dead letters are kept: their payments are not erased before an operator has seen them. At most ten years, the
 * longest period for which companies usually keep records. Apart from the schemas, for pages of the dashboard.
 */
export const DATA_RETENTION_LIMITS = { minDays: DEAD_LETTER_RETENTION_DAYS, maxDays: 3_650 } as const;
