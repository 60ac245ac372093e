import Type, { type Static } from 'typebox';
import { ClosedObject } from '../platform/schema.ts';

const perEnvironment = {
  live: Type.Boolean({ description: 'Whether creating a live payment requires an `Idempotency-Key`' }),
  sandbox: Type.Boolean({ description: 'Whether creating a sandbox payment requires an `Idempotency-Key`' }),
};

/** Whether the gateway rejects `POST /v1/payments` of an application without an `Idempotency-Key`. */
export const IdempotencyKeyRequirement = Type.Object(perEnvironment);
export type IdempotencyKeyRequirement = Static<typeof IdempotencyKeyRequirement>;

export const IdempotencyKeyRequirementInput = ClosedObject(perEnvironment);

/** The requirement of a new application: a retried live payment without a key could charge twice. */
export const DEFAULT_IDEMPOTENCY_KEY_REQUIREMENT = { live: true, sandbox: false } as const;
