import type { Attempt, History } from '../history.ts';
import type { OperationKind } from '../plan.ts';

/** Rejections that callers can explain, by operation. */
const EXPECTED: Partial<Record<OperationKind, string[]>> = {
  cancel: ['payment-not-cancelable', 'idempotency-key-reused'],
  settle: ['conflict'],
  'use-key': ['payment-not-found', 'invalid-api-key'],
};

/** Lists responses that no fault explains: rejections of valid requests, and internal errors. */
export function unexpectedResponses({ operations }: History): string[] {
  return operations.flatMap(({ index, operation: { kind }, attempts }) =>
    attempts
      .filter((attempt) => !isExpected(kind, attempt))
      .map(({ status, code }) => `operation ${index} (${kind}) got ${status} ${code}`),
  );
}

/** Lists operations whose outcome stayed unknown although every fault had ended. */
export function unresolvedOperations({ operations, orders }: History): string[] {
  const keyed = new Map(orders.map(({ name, idempotencyKey }) => [name, idempotencyKey !== undefined]));
  return operations
    .filter(({ outcome }) => outcome === 'unknown')
    .filter(({ operation }) => operation.kind !== 'create' || keyed.get(operation.order))
    .map(({ index, operation }) => `operation ${index} (${operation.kind}) has no known outcome`);
}

function isExpected(kind: OperationKind, { status, code }: Attempt): boolean {
  if (status === null || status < 300) return true;
  if (status >= 500) return code !== 'internal';
  return EXPECTED[kind]?.includes(code ?? '') ?? false;
}
