import type { Scope } from '@tollgate/contracts/applications/scopes';
import type { Deprecation } from '@tollgate/contracts/platform/deprecation';
import { OPERATION_REQUESTS, type UsageOperation } from '@tollgate/contracts/usage/usage';

/** One operation of the public API. */
export interface Operation {
  /** Name in metrics, logs, and usage. */
  name: UsageOperation;
  /** Method of the upstream request. The caller may also send HEAD if this is GET. */
  method: 'GET' | 'POST';
  path: string;
  scope: Scope;
  /** Whether it creates a payment: an application may require an `Idempotency-Key` for that. */
  createsPayment: boolean;
  /** Header that reaches payments as the caller sent it. */
  relayedHeader?: 'if-match' | 'if-none-match' | 'prefer';
  /** Absent while the operation is current. */
  deprecation?: Deprecation;
}

/** Before the id of a payment in a path. */
export const PAYMENT_PATH = '/v1/payments/';

const OPERATIONS_BY_NAME = {
  create_payment: {
    name: 'create_payment',
    ...OPERATION_REQUESTS.create_payment,
    scope: 'payment:create',
    createsPayment: true,
    relayedHeader: 'prefer',
  },
  read_payment: {
    name: 'read_payment',
    ...OPERATION_REQUESTS.read_payment,
    scope: 'payment:read',
    createsPayment: false,
    relayedHeader: 'if-none-match',
  },
  cancel_payment: {
    name: 'cancel_payment',
    ...OPERATION_REQUESTS.cancel_payment,
    scope: 'payment:cancel',
    createsPayment: false,
    relayedHeader: 'if-match',
  },
} as const satisfies { [Name in Operation['name']]: Operation & { name: Name } };

export const OPERATIONS: readonly Operation[] = Object.values(OPERATIONS_BY_NAME);

export function methodsOf(operation: Operation): string[] {
  return operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method];
}

/** Builds the upstream path from the operation. Of the caller's target only the id reaches payments, encoded again. */
export function upstreamPath(operation: Operation, params: { payment_id?: string }): string {
  return operation.path.replace(':payment_id', encodeURIComponent(params.payment_id ?? ''));
}
