import Type, { type Static } from 'typebox';
import { Nullable } from '../platform/schema.ts';

/** How long a team keeps the personal data of payments that have ended. */
export const DataRetention = Type.Object({
  days: Nullable(
    Type.Integer({ minimum: 1 }),
    'Days after the end of a payment; null to keep the data permanently',
  ),
  version: Type.Integer({ minimum: 1 }),
});
export type DataRetention = Static<typeof DataRetention>;
