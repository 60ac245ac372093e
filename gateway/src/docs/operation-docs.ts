import { CancelPaymentBody, CreatePaymentBody, type Payment } from '@tollgate/contracts/payments/payment';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import type { TSchema } from 'typebox';
import type { Operation } from '../operations/operations.ts';
import {
  EXAMPLE_CANCEL_BODY,
  EXAMPLE_CANCELED_PAYMENT,
  EXAMPLE_CANCELING_PAYMENT,
  EXAMPLE_CREATE_BODY,
  EXAMPLE_PAYMENT,
} from './examples.ts';

/** The documentation of an operation beyond its method, path, and scope. */
export interface OperationDocs {
  operationId: string;
  summary: string;
  description: string;
  body: { description: string; schema: TSchema; required: boolean; example: object } | null;
  /** The first one is the usual one. */
  successes: readonly [SuccessDocs, ...SuccessDocs[]];
  errors: readonly ErrorCode[];
}

export interface SuccessDocs {
  status: 200 | 201 | 202;
  description: string;
  example: Payment;
}

/** Errors that any operation can return. */
const COMMON_ERRORS = [
  'malformed-request',
  'invalid-request',
  'unauthenticated',
  'invalid-api-key',
  'insufficient-scope',
  'ip-not-allowed',
  'application-disabled',
  'not-acceptable',
  'rate-limited',
  'internal',
  'upstream-error',
  'unavailable',
  'upstream-timeout',
] as const satisfies ErrorCode[];

/** Further errors of an operation on one payment. An id with a character such as `;` does not match the path. */
const PAYMENT_ERRORS = ['payment-not-found', 'route-not-found'] as const satisfies ErrorCode[];

/** Further errors of requests with a body and an idempotency key. */
const BODY_ERRORS = [
  'invalid-idempotency-key',
  'content-too-large',
  'unsupported-media-type',
  'unsupported-transfer-encoding',
  'idempotency-key-reused',
] as const satisfies ErrorCode[];

/** The error codes keep their literal types, which the types of the SDK are compared with. */
export const OPERATION_DOCS = {
  create_payment: {
    operationId: 'createPayment',
    summary: 'Create a payment',
    description:
      'Creates a payment. Send an `Idempotency-Key`, so that a retry after a lost response does not create a second payment. ' +
      'New applications require one in live. ' +
      'A payment that is declined becomes `failed`. This does not cause the request to fail. ' +
      'If the payer must act, `next_action` contains the page to send the payer to. The response waits a second for it, or as long as `Prefer` says. ' +
      'Without a reply of the processor by then, `waiting_for` is `processor`, and an event `payment.action_required` follows.',
    body: {
      description: 'The payment to create.',
      schema: CreatePaymentBody,
      required: true,
      example: EXAMPLE_CREATE_BODY,
    },
    successes: [{ status: 201, description: 'The payment was created.', example: EXAMPLE_PAYMENT }],
    errors: [
      ...COMMON_ERRORS,
      ...BODY_ERRORS,
      'idempotency-key-required',
      'unsupported-currency',
      'amount-out-of-range',
      'card-data-not-allowed',
    ],
  },
  read_payment: {
    operationId: 'readPayment',
    summary: 'Read a payment',
    description:
      'Returns the current state of a payment. The `ETag` is derived from `version`: with `If-None-Match`, an unchanged payment returns 304. `HEAD` is supported.',
    body: null,
    successes: [{ status: 200, description: 'The payment.', example: EXAMPLE_PAYMENT }],
    errors: [...COMMON_ERRORS, ...PAYMENT_ERRORS],
  },
  cancel_payment: {
    operationId: 'cancelPayment',
    summary: 'Cancel a payment',
    description:
      'Cancels a `pending` payment. If its processor has started it, the processor must confirm that no money moves: this can take some seconds. ' +
      'A payment that is already canceled is returned unchanged and keeps its first reason. Repeating the request is safe. ' +
      'With `If-Match`, only the version with this `ETag` is canceled. ' +
      'A rejected cancellation changes nothing.',
    body: {
      description: 'Why the payment is canceled.',
      schema: CancelPaymentBody,
      required: false,
      example: EXAMPLE_CANCEL_BODY,
    },
    successes: [
      { status: 200, description: 'The payment is canceled.', example: EXAMPLE_CANCELED_PAYMENT },
      {
        status: 202,
        description:
          'The cancellation is requested, and the processor has not confirmed it yet. The payment is `pending` until it does. An event follows.',
        example: EXAMPLE_CANCELING_PAYMENT,
      },
    ],
    errors: [
      ...COMMON_ERRORS,
      ...BODY_ERRORS,
      ...PAYMENT_ERRORS,
      'payment-not-cancelable',
      'precondition-failed',
    ],
  },
} satisfies Record<Operation['name'], OperationDocs>;
