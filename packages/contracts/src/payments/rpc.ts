import Type, { type Static } from 'typebox';
import { EnvironmentSchema } from '../platform/environment.ts';
import { Id } from '../platform/ids.ts';
import { Page, PageRequest } from '../platform/page.ts';
import { PlainText } from '../platform/plain-text.ts';
import { rpc } from '../platform/rpc-contract.ts';
import { closed, Nullable, TextOfPattern } from '../platform/schema.ts';
import { Time } from '../platform/time.ts';
import { DataRetention } from './data-retention.ts';
import { DATA_RETENTION_LIMITS } from './data-retention-limits.ts';
import { DIFFERENCE_LIMITS } from './difference-limits.ts';
import { CancelPaymentBody, FAILED_HAS_FAILURE, Payment } from './payment.ts';
import { Comparison, PaymentDifference } from './payment-difference.ts';
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

const { status: _, ...FiltersButStatus } = PaymentFilters;
const PaymentRef = { payment_id: Id('payment') };

/**
 * Newest first, or oldest first with `order=asc`. A page examines a bounded number of payments, so it may contain fewer rows than requested, or none, and
 * a cursor to continue. Only a null cursor marks the end.
 */
export const listPayments = rpc('payments', 'list', 'member-or-token', {
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

export const getPayment = rpc('payments', 'get', 'member-or-token', {
  request: PaymentRef,
  reply: PaymentDetail,
});

/** Every transition of a payment, and refunds and disputes since, oldest first. */
export const getTimeline = rpc('payments', 'timeline', 'member-or-token', {
  request: PaymentRef,
  reply: Type.Object({
    ...Page(TimelineEntry).properties,
    /** Since the payment ended. */
    reversals: Type.Array(Reversal),
  }),
});

/** The newest calls to the payment's processor, oldest first. */
export const listProcessorCalls = rpc('payments', 'processor_calls', 'member-or-token', {
  request: PaymentRef,
  reply: Page(ProcessorCall),
});

/** Every processor that new or existing payments of the environment may have. */
export const listProcessors = rpc('payments', 'processors', 'member-or-token', {
  request: { environment: EnvironmentSchema },
  reply: Page(ProcessorHealth),
});

/**
 * The payments of a processor that differ from what it reports, newest first: those that ended on the day with their
 * resolutions, or without a day, all that nobody has resolved. With the comparison of that day; without a day, of the
 * newest one. Null while there is none.
 */
export const getReconciliation = rpc('payments', 'reconciliation', 'member-or-token', {
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

/** A member records what was done about a difference. The first record counts. */
export const resolveDifference = rpc('payments', 'resolve_difference', 'member-or-token', {
  request: { ...PaymentRef, note: PlainText({ minLength: 1, maxLength: DIFFERENCE_LIMITS.note }) },
  reply: PaymentDifference,
});

/**
 * How many payments meet the filters, and their amounts, by status. Without other filters than the time, up to 1,000 payments of each
 * status are counted, otherwise those among the newest 1,000 that are examined.
 */
export const totalPayments = rpc('payments', 'totals', 'member-or-token', {
  request: { ...FiltersButStatus, environment: EnvironmentSchema },
  reply: Page(PaymentTotal),
});

export const summarizePayments = rpc('payments', 'summarize', 'member-or-token', {
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

/** How long the team keeps the personal data of payments that have ended. */
export const getDataRetention = rpc('payments', 'data_retention', 'member-or-token', {
  reply: DataRetention,
});

export const setDataRetention = rpc('payments', 'set_data_retention', 'member-or-token', {
  request: {
    /** The version that the caller read; absent means the current version. */
    if_version: Type.Optional(Type.Integer({ minimum: 1 })),
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
    Type.Object(
      {
        code: TextOfPattern(
          '^[a-z][a-z0-9_]{0,63}$',
          'This must start with a lowercase letter and have only lowercase letters, digits, and underscores.',
        ),
        message: PlainText({ minLength: 1, maxLength: 255 }),
      },
      { ...closed, description: 'Required with the status `failed`, not allowed otherwise' },
    ),
  ),
};
const Settled = Type.Object({ status: Type.Enum(['succeeded', 'failed'] as const), ...OfFailure }, closed);
const Simulated = Type.Object(
  { status: Type.Enum(['succeeded', 'failed', 'expired'] as const), ...OfFailure },
  closed,
);

/**
 * A member settles a payment of the manual processor. If the team's policy requires an approval, the payment stays as it
 * is, and `approval_request` is the request that another member must approve.
 */
export const settlePayment = rpc('payments', 'settle', 'member-or-token', {
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

/** Which settlements of the team need the approval of a second member. */
export const getApprovalPolicy = rpc('payments', 'approval_policy', 'member-or-token', {
  reply: ApprovalPolicy,
});

/** Only a member changes the policy: an API token would let its owner act as a second member. */
export const setApprovalPolicy = rpc('payments', 'set_approval_policy', 'member', {
  request: {
    /** The version that the caller read; absent means the current version. */
    if_version: Type.Optional(Type.Integer({ minimum: 1 })),
    thresholds: Type.Array(ApprovalThreshold, {
      maxItems: APPROVAL_LIMITS.thresholds,
      description: 'At most one for each currency. Empty: no settlement needs an approval',
    }),
  },
  reply: ApprovalPolicy,
});

/** Newest first. The status of a request changes within seconds of `expires_at`. */
export const listApprovalRequests = rpc('payments', 'approval_requests', 'member-or-token', {
  request: {
    payment_id: Type.Optional(Id('payment')),
    status: Type.Optional(Type.Enum(APPROVAL_STATUSES)),
    ...PageRequest,
  },
  reply: Page(ApprovalRequest),
});

const ApprovalRequestRef = { approval_request_id: Id('approvalRequest') };

/** Another member than the requester approves a request, which settles the payment. */
export const approveSettlement = rpc('payments', 'approve_settlement', 'member', {
  request: ApprovalRequestRef,
  reply: ApprovalRequest,
});

/** A member rejects a request, or the requester withdraws it. The payment stays as it is. */
export const rejectSettlement = rpc('payments', 'reject_settlement', 'member', {
  request: ApprovalRequestRef,
  reply: ApprovalRequest,
});

/** A member immediately completes a sandbox payment, in place of its processor. */
export const simulatePayment = rpc('payments', 'simulate', 'member-or-token', {
  request: { ...PaymentRef, outcome: Simulated },
  reply: PaymentDetail,
});

/**
 * A member cancels a pending payment, under the rules for applications: if its processor has started it, the payment stays
 * pending until the processor has decided.
 */
export const cancelPayment = rpc('payments', 'cancel', 'member-or-token', {
  request: { ...PaymentRef, ...CancelPaymentBody.properties },
  reply: PaymentDetail,
});

/** Erases the personal data of a payment that has ended. Repeating it returns the payment unchanged. */
export const erasePayment = rpc('payments', 'erase', 'member-or-token', {
  request: PaymentRef,
  reply: PaymentDetail,
});

/** Deletes all sandbox data that the team created until now. While a reset is in progress, returns that one. */
export const resetSandbox = rpc('payments', 'reset_sandbox', 'member-or-token', {
  idempotent: true,
  reply: SandboxReset,
});

/** The newest reset of the team's sandbox. */
export const getSandboxReset = rpc('payments', 'sandbox_reset', 'member-or-token', { reply: SandboxReset });

export const MAX_TEAMS_OF_RESETS = 100;

/** When these teams last requested a reset of their sandbox, so that nobody looks for payments that it deleted. */
export const lastSandboxResets = rpc('payments', 'last_sandbox_resets', 'service', {
  request: { team_ids: Type.Array(Id('team'), { minItems: 1, maxItems: MAX_TEAMS_OF_RESETS }) },
  reply: Type.Object({
    data: Type.Array(Type.Object({ team_id: Id('team'), requested_at: Time }), {
      maxItems: MAX_TEAMS_OF_RESETS,
    }),
  }),
});

/** Whether an application has payments in any environment. */
export const hasPayments = rpc('payments', 'has_payments', 'service', {
  request: { team_id: Id('team'), application_id: Id('application') },
  reply: Type.Object({ has_payments: Type.Boolean() }),
});

/** The payer's test page of a sandbox payment. The token is part of the page's address, and nobody can guess it. */
const SandboxPageRef = { token: Type.String({ minLength: 1, maxLength: 128 }) };

/** What a payer sees. Neither the payer's data nor ids of the team. */
export const SandboxPage = Type.Object({
  payment_id: Id('payment'),
  amount: Payment.properties.amount,
  currency: Payment.properties.currency,
  purpose: Payment.properties.purpose,
  status: Payment.properties.status,
  return_url: Payment.properties.return_url,
  expires_at: Time,
});
export type SandboxPage = Static<typeof SandboxPage>;

export const getSandboxPage = rpc('payments', 'sandbox_page', 'service', {
  request: SandboxPageRef,
  reply: SandboxPage,
});

/** The payer pays or declines on the test page. A payment that is not pending any more stays as it is. */
export const actOnSandboxPage = rpc('payments', 'act_on_sandbox_page', 'service', {
  request: { ...SandboxPageRef, action: Type.Enum(['pay', 'decline'] as const) },
  reply: SandboxPage,
});

export const MAX_EVENTS_SINCE_LIMIT = 200;

/**
 * Returns every event of every payment that changed at or after `since`, oldest change first. Consumers use it to
 * reconcile messages that NATS did not deliver. A payment that changes during the read appears again on a later page.
 */
export const eventsSince = rpc('payments', 'events_since', 'service', {
  request: {
    since: Time,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_EVENTS_SINCE_LIMIT })),
    cursor: Type.Optional(Type.String({ maxLength: 512 })),
  },
  reply: Type.Object({ events: Type.Array(Type.Unknown()), next_cursor: Nullable(Type.String()) }),
});
