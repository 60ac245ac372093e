import Type, { type Static } from 'typebox';
import { ClosedObject } from '../platform/schema.ts';

export const RateLimit = ClosedObject({
  requests_per_second: Type.Integer({ minimum: 1, maximum: 100_000 }),
  burst: Type.Integer({ minimum: 1, maximum: 200_000 }),
});
export type RateLimit = Static<typeof RateLimit>;

export const DEFAULT_LIMITS = {
  live: { requests_per_second: 100, burst: 200 },
  sandbox: { requests_per_second: 25, burst: 50 },
} as const;
