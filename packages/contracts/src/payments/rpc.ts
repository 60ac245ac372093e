import Type, { type Static } from 'typebox';
import { Page, PageRequest } from '../platform/page.ts';
import { PlainText } from '../platform/plain-text.ts';
import { contractsOf } from '../platform/rpc-contract.ts';
import {
  ClosedObject,
  EnvironmentSchema,
  Id,
  IfVersion,
  Nullable,
  TextOfPattern,
  Time,
} from '../platform/schema.ts';
import { DataRetention } from './data-retention.ts';
import { DATA_RETENTION_LIMITS } from './data-retention-limits.ts';
import { DIFFERENCE_LIMITS } from './difference-limits.ts';
import { CancelPaymentBody, FAILED_HAS_FAILURE, Payment } from './payment.ts';
import { Comparison, PaymentDifference } from './payment-difference.ts';
import { FailureCode } from './payment-failure-code.ts';
import {
  PaymentDetail,
  PaymentFilters,
  PaymentRow,
  PaymentSummary,
  PaymentTotal,
  Reversal,
  SUMMARY_PERIODS,
  TimelineEntry,
} from './payment-history.ts';
import { PROCESSOR_LIMITS, ProcessorCall, ProcessorHealth } from './processors.ts';
import { SandboxReset } from './sandbox-reset.ts';
import {
  APPROVAL_LIMITS,
  APPROVAL_STATUSES,
  ApprovalPolicy,
  ApprovalRequest,
  ApprovalThreshold,
} from './settlement-approval.ts';

const rpc = contractsOf('payments');

const { status: _, ...FiltersButStatus } = PaymentFilters;
const PaymentRef = { payment_id: Id('payment') };

/** A page examines a bounded number of payments, so it may contain fewer rows than requested, or none, and a cursor to continue. */
export const listPayments = rpc('list', 'member-or-token', {
  request: {
    ...PaymentFilters,
    order: Type.Optional(
      Type.Enum(['desc', 'asc'] as const, {
        description: 'By time of creation; `desc`, newest first, by default',
      }),
    ),
    ...PageRequest,
  },
  reply: Page(PaymentRow),
});

export const getPayment = rpc('get', 'member-or-token', { request: PaymentRef, reply: PaymentDetail });

/** Oldest first. */
export const getTimeline = rpc('timeline', 'member-or-token', {
  request: PaymentRef,
  reply: Type.Object({
    ...Page(TimelineEntry).properties,
    /** Since the payment ended. */
    reversals: Type.Array(Reversal),
  }),
});

/** Oldest first. */
export const listProcessorCalls = rpc('processor_calls', 'member-or-token', {
  request: PaymentRef,
  reply: Page(ProcessorCall),
});

/** Every processor that new or existing payments of the environment may have. */
export const listProcessors = rpc('processors', 'member-or-token', {
  request: { environment: EnvironmentSchema },
  reply: Page(ProcessorHealth),
});

/**
 * The payments of a processor that differ from what it reports, newest first: those that ended on the day with their
 * resolutions, or without a day, all that nobody has resolved. With the comparison of that day; without a day, of the
 * newest one. Null while there is none.
 */
export const getReconciliation = rpc('reconciliation', 'member-or-token', {
  request: {
    name: Type.String({ minLength: 1, maxLength: PROCESSOR_LIMITS.name }),
    environment: EnvironmentSchema,
    day: Type.Optional(
      Type.String({
        format: 'date',
        description: 'Day in UTC on which the payments ended, such as 2026-03-31',
      }),
    ),
    ...PageRequest,
  },
  reply: Type.Object({ ...Page(PaymentDifference).properties, comparison: Nullable(Comparison) }),
});

/** The first record counts. */
export const resolveDifference = rpc('resolve_difference', 'member-or-token', {
  request: { ...PaymentRef, note: PlainText({ minLength: 1, maxLength: DIFFERENCE_LIMITS.note }) },
  reply: PaymentDifference,
});

/** Exact by period, application, currency, and failure. With other filters, the payments among the newest 1,000 are counted. */
export const totalPayments = rpc('totals', 'member-or-token', {
  request: { ...FiltersButStatus, environment: EnvironmentSchema },
  reply: Page(PaymentTotal),
});

export const summarizePayments = rpc('summarize', 'member-or-token', {
  request: {
    environment: EnvironmentSchema,
    period: Type.Optional(Type.Enum(SUMMARY_PERIODS)),
    currency: Type.Optional(
      TextOfPattern('^[A-Z]{3}$', 'This must be a currency code of three capital letters, such as EUR.'),
    ),
    application_id: Type.Optional(Id('application')),
  },
  reply: PaymentSummary,
});

export const getDataRetention = rpc('data_retention', 'member-or-token', { reply: DataRetention });

export const setDataRetention = rpc('set_data_retention', 'member-or-token', {
  request: {
    ...IfVersion,
    days: Nullable(
      Type.Integer({ minimum: DATA_RETENTION_LIMITS.minDays, maximum: DATA_RETENTION_LIMITS.maxDays }),
      'Days after the end of a payment; null to keep the data permanently',
    ),
  },
  reply: DataRetention,
});

/** In one schema together with the status: errors in a union with one member per status would list every branch. */
const OfFailure = {
  failure: Type.Optional(
    ClosedObject(
      {
        code: FailureCode,
        message: PlainText({ minLength: 1, maxLength: 255 }),
      },
      { description: 'Required with the status `failed`, not allowed otherwise' },
    ),
  ),
};
const Settled = ClosedObject({ status: Type.Enum(['succeeded', 'failed'] as const), ...OfFailure });
const Simulated = ClosedObject({
  status: Type.Enum(['succeeded', 'failed', 'expired'] as const),
  ...OfFailure,
});

/** While an approval is required, the payment stays as it is. */
export const settlePayment = rpc('settle', 'member-or-token', {
  request: { ...PaymentRef, outcome: Settled },
  reply: Type.Object(
    {
      ...PaymentDetail.properties,
      approval_request: Nullable(
        ApprovalRequest,
        'The open request for approval; null if the payment is settled',
      ),
    },
    FAILED_HAS_FAILURE,
  ),
});

export const getApprovalPolicy = rpc('approval_policy', 'member-or-token', { reply: ApprovalPolicy });

/** Only a member changes the policy: an API token would let its owner act as a second member. */
export const setApprovalPolicy = rpc('set_approval_policy', 'member', {
  request: {
    ...IfVersion,
    thresholds: Type.Array(ApprovalThreshold, {
      maxItems: APPROVAL_LIMITS.thresholds,
      description: 'At most one for each currency. Empty: no settlement needs an approval',
    }),
  },
  reply: ApprovalPolicy,
});

/** The status of a request changes within seconds of `expires_at`. */
export const listApprovalRequests = rpc('approval_requests', 'member-or-token', {
  request: {
    payment_id: Type.Optional(Id('payment')),
    status: Type.Optional(Type.Enum(APPROVAL_STATUSES)),
    ...PageRequest,
  },
  reply: Page(ApprovalRequest),
});

const ApprovalRequestRef = { approval_request_id: Id('approvalRequest') };

export const approveSettlement = rpc('approve_settlement', 'member', {
  request: ApprovalRequestRef,
  reply: ApprovalRequest,
});

/** The payment stays as it is. */
export const rejectSettlement = rpc('reject_settlement', 'member', {
  request: ApprovalRequestRef,
  reply: ApprovalRequest,
});

export const simulatePayment = rpc('simulate', 'member-or-token', {
  request: { ...PaymentRef, outcome: Simulated },
  reply: PaymentDetail,
});

/** If its processor has started the payment, it stays pending until the processor has decided. */
export const cancelPayment = rpc('cancel', 'member-or-token', {
  request: { ...PaymentRef, ...CancelPaymentBody.properties },
  reply: PaymentDetail,
});

/** Repeating it returns the payment unchanged. */
export const erasePayment = rpc('erase', 'member-or-token', { request: PaymentRef, reply: PaymentDetail });

/** While a reset is in progress, returns that one. */
export const resetSandbox = rpc('reset_sandbox', 'member-or-token', {
  idempotent: true,
  reply: SandboxReset,
});

export const getSandboxReset = rpc('sandbox_reset', 'member-or-token', { reply: SandboxReset });

export const MAX_TEAMS_OF_RESETS = 100;

/** When these teams last requested a reset of their sandbox, so that nobody looks for payments that it deleted. */
export const lastSandboxResets = rpc('last_sandbox_resets', 'service', {
  request: { team_ids: Type.Array(Id('team'), { minItems: 1, maxItems: MAX_TEAMS_OF_RESETS }) },
  reply: Type.Object({
    data: Type.Array(Type.Object({ team_id: Id('team'), requested_at: Time }), {
      maxItems: MAX_TEAMS_OF_RESETS,
    }),
  }),
});

/** In any environment. */
export const hasPayments = rpc('has_payments', 'service', {
  request: { team_id: Id('team'), application_id: Id('application') },
  reply: Type.Object({ has_payments: Type.Boolean() }),
});

/** The payer's test page of a sandbox payment. The token is part of the page's address, and nobody can guess it. */
const SandboxPageRef = { token: Type.String({ minLength: 1, maxLength: 128 }) };

const { amount, currency, purpose, status, return_url } = Payment.properties;
/** What a payer sees. Neither the payer's data nor ids of the team. */
export const SandboxPage = Type.Object({
  ...PaymentRef,
  amount,
  currency,
  purpose,
  status,
  return_url,
  expires_at: Time,
});
export type SandboxPage = Static<typeof SandboxPage>;

export const getSandboxPage = rpc('sandbox_page', 'service', { request: SandboxPageRef, reply: SandboxPage });

/** The payer pays or declines on the test page. A payment that is not pending any more stays as it is. */
export const actOnSandboxPage = rpc('act_on_sandbox_page', 'service', {
  request: { ...SandboxPageRef, action: Type.Enum(['pay', 'decline'] as const) },
  reply: SandboxPage,
});

export const MAX_EVENTS_SINCE_LIMIT = 200;

/**
 * Returns every event of every payment that changed at or after `since`, oldest change first. Consumers use it to
 * reconcile messages that NATS did not deliver. A payment that changes during the read appears again on a later page.
 */
export const eventsSince = rpc('events_since', 'service', {
  request: {
    since: Time,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_EVENTS_SINCE_LIMIT })),
    cursor: Type.Optional(Type.String({ maxLength: 512 })),
  },
  reply: Type.Object({ events: Type.Array(Type.Unknown()), next_cursor: Nullable(Type.String()) }),
});
