// Apart from the schemas: pages of the dashboard need it without the library that validates.
/**
 * At least as long as NATS keeps a message that a consumer could not handle: it is not lost before an operator has seen it. At most
 * ten years, the longest period for which companies usually keep records.
 */
export const DATA_RETENTION_LIMITS = { minDays: 30, maxDays: 3_650 } as const;
