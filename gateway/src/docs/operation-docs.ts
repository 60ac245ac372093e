import type { ErrorCode } from '@tollgate/contracts/errors';
import { CancelPaymentBody, CreatePaymentBody, type Payment } from '@tollgate/contracts/payment';
import type { TSchema } from 'typebox';
import type { Operation } from '../public-api/operations.ts';
import {
  EXAMPLE_CANCEL_BODY,
  EXAMPLE_CANCELED_PAYMENT,
  EXAMPLE_CREATE_BODY,
  EXAMPLE_PAYMENT,
} from './examples.ts';

/** What a reader wants to know of an operation beyond its method, path and scope. */
export interface OperationDocs {
  operationId: string;
  summary: string;
  description: string;
  body: { schemaName: string; schema: TSchema; required: boolean; example: object } | null;
  success: { status: 200 | 201; description: string; example: Payment };
  errors: readonly ErrorCode[];
}

/** Any request that carries a key can meet these. */
const COMMON_ERRORS = [
  'malformed-request',
  'invalid-request',
  'unauthenticated',
  'invalid-api-key',
  'insufficient-scope',
  'ip-not-allowed',
  'application-disabled',
  'route-not-found',
  'method-not-allowed',
  'not-acceptable',
  'rate-limited',
  'internal',
  'upstream-error',
  'unavailable',
  'upstream-timeout',
] as const satisfies ErrorCode[];

/** Requests with a body and an idempotency key can meet these, too. */
const BODY_ERRORS = [
  'invalid-idempotency-key',
  'content-too-large',
  'unsupported-media-type',
  'conflict',
  'idempotency-key-reused',
] as const satisfies ErrorCode[];

export const OPERATION_DOCS: Record<Operation['name'], OperationDocs> = {
  create_payment: {
    operationId: 'createPayment',
    summary: 'Create a payment',
    description:
      'Creates a payment in the state `pending`. Send an `Idempotency-Key`, so that a retry after a lost answer makes no second payment. ' +
      'A payment that is declined later becomes `failed`; that is no error of this operation.',
    body: {
      schemaName: 'CreatePaymentBody',
      schema: CreatePaymentBody,
      required: true,
      example: EXAMPLE_CREATE_BODY,
    },
    success: { status: 201, description: 'The payment was created.', example: EXAMPLE_PAYMENT },
    errors: [
      ...COMMON_ERRORS,
      ...BODY_ERRORS,
      'unsupported-currency',
      'amount-out-of-range',
      'card-data-not-allowed',
    ],
  },
  read_payment: {
    operationId: 'readPayment',
    summary: 'Read a payment',
    description:
      'Shows a payment as it is now. `ETag` is made from `version`; with `If-None-Match` an unchanged payment is answered 304. `HEAD` is served, too.',
    body: null,
    success: { status: 200, description: 'The payment.', example: EXAMPLE_PAYMENT },
    errors: [...COMMON_ERRORS, 'payment-not-found'],
  },
  cancel_payment: {
    operationId: 'cancelPayment',
    summary: 'Cancel a payment',
    description:
      'Cancels a payment that is still `pending`. A payment that is canceled already is answered unchanged and keeps its first reason. ' +
      'A cancel that is refused changes nothing.',
    body: {
      schemaName: 'CancelPaymentBody',
      schema: CancelPaymentBody,
      required: false,
      example: EXAMPLE_CANCEL_BODY,
    },
    success: { status: 200, description: 'The payment is canceled.', example: EXAMPLE_CANCELED_PAYMENT },
    errors: [...COMMON_ERRORS, ...BODY_ERRORS, 'payment-not-found', 'payment-not-cancelable'],
  },
};
