import Type, { type Static } from 'typebox';
import { Nullable } from './nullable.ts';

/**
 * At least as long as NATS keeps a message that a consumer could not handle: it is not lost before an operator has seen it. At most
 * ten years, the longest period for which companies usually keep records.
 */
export const DATA_RETENTION_LIMITS = { minDays: 30, maxDays: 3_650 } as const;

/** How long a team keeps the personal data of payments that have ended. */
export const DataRetention = Type.Object({
  days: Nullable(
    Type.Integer({ minimum: 1 }),
    'Days after the end of a payment; null to keep the data permanently',
  ),
  version: Type.Integer({ minimum: 1 }),
});
export type DataRetention = Static<typeof DataRetention>;
