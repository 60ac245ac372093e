import Type, { type Static } from 'typebox';
import { MAX_AMOUNT, MIN_AMOUNT } from '../platform/money.ts';
import { OptionalText, TimeFilter } from '../platform/page.ts';
import { EnvironmentSchema, Id, Ids, Nullable, Time } from '../platform/schema.ts';
import { PAYMENT_EVENT_TYPES, PaymentCause } from './events.ts';
import { CurrencyInput, FAILED_HAS_FAILURE, PAYMENT_LIMITS, PAYMENT_STATUSES, Payment } from './payment.ts';
import { PaymentDifference } from './payment-difference.ts';
import { FailureCode } from './payment-failure-code.ts';

/** In one filter. The largest page has as many payments. */
export const MAX_LISTED_IDS = 100;

const AmountFilter = Type.Optional(
  Type.Integer({ minimum: MIN_AMOUNT, maximum: MAX_AMOUNT, description: 'Amount in minor units, inclusive' }),
);

/** Filters of the payment list. A payment must match all of them; an absent filter matches every payment. */
export const PaymentFilters = {
  ids: Type.Optional(
    Ids('payment', {
      most: MAX_LISTED_IDS,
      description: `Ids of payments, separated by commas, at most ${MAX_LISTED_IDS}`,
    }),
  ),
  application_id: Type.Optional(Id('application')),
  environment: Type.Optional(EnvironmentSchema),
  status: Type.Optional(Type.Enum(PAYMENT_STATUSES)),
  failure_code: Type.Optional(FailureCode),
  currency: Type.Optional(CurrencyInput),
  amount_min: AmountFilter,
  amount_max: AmountFilter,
  created_from: TimeFilter('Created at or after this time'),
  created_to: TimeFilter('Created before this time'),
  succeeded_from: TimeFilter('Succeeded at or after this time'),
  succeeded_to: TimeFilter('Succeeded before this time'),
  search: OptionalText(
    PAYMENT_LIMITS.reference,
    'Words in any order, in any case, with or without accents. A payment has each as the beginning of a word of its reference, purpose, metadata values, or name of the payer, of the email or account of the payer, as its amount (`129.90`) or currency, or as the end of its id. Or the beginning of a payment id, or the id of the request that created the payment',
  ),
  reference: OptionalText(PAYMENT_LIMITS.reference, 'Exact reference'),
  payer: OptionalText(
    PAYMENT_LIMITS.partyEmail,
    'Exact email of the payer; without an @, the exact name or account',
  ),
};

const memberView = {
  application_id: Id('application'),
  processor: Type.String(),
  expires_at: Time,
};

export const PaymentDetail = Type.Object(
  {
    ...Payment.properties,
    ...memberView,
    /** Page of the payment at the processor; null when the operator gave no address, or there is no reference yet. */
    processor_url: Nullable(Type.String()),
    /** What the processor says instead; null when it agrees, or was not asked since the payment ended. */
    difference: Nullable(PaymentDifference),
  },
  FAILED_HAS_FAILURE,
);
export type PaymentDetail = Static<typeof PaymentDetail>;

/** Without `metadata`, which could make a page exceed the reply limit. */
const { metadata: _, ...rowFields } = Payment.properties;
export const PaymentRow = Type.Object({ ...rowFields, ...memberView }, FAILED_HAS_FAILURE);
export type PaymentRow = Static<typeof PaymentRow>;

export const TimelineEntry = Type.Object({
  event_id: Id('event'),
  type: Type.Enum(PAYMENT_EVENT_TYPES),
  version: Type.Integer({ minimum: 1 }),
  occurred_at: Time,
  cause: PaymentCause,
  request_id: Nullable(Type.String()),
});
export type TimelineEntry = Static<typeof TimelineEntry>;

/**
 * Money that was refunded or disputed at the processor, as the processor reported it. The payment keeps its status, and there is
 * no event.
 */
export const Reversal = Type.Object({
  at: Time,
  type: Type.Enum(['refund', 'dispute'] as const),
  /** In all, in minor units. 0 when a refund failed or a dispute was won. */
  amount: Type.Integer({ minimum: 0 }),
  currency: Type.String(),
});
export type Reversal = Static<typeof Reversal>;

export const PaymentTotal = Type.Object({
  status: Type.Enum(PAYMENT_STATUSES),
  payments: Type.Integer({ minimum: 0 }),
  /** In minor units, in the order of the currencies. */
  amounts: Type.Array(
    Type.Object({
      currency: Type.String(),
      amount: Type.Integer({ minimum: 1 }),
      /** Absent in the response of an earlier release. */
      payments: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
  ),
  /** False if there may be more: with filters other than period, application, currency, and failure, the newest 1,000 payments are counted. */
  is_complete: Type.Boolean(),
});
export type PaymentTotal = Static<typeof PaymentTotal>;

export const SUMMARY_PERIODS = ['24h', '7d', '30d'] as const;
export type SummaryPeriod = (typeof SUMMARY_PERIODS)[number];

const CurrencyCount = Type.Object({
  currency: Type.String(),
  payments: Type.Integer({ minimum: 1 }),
  /** Succeeded payments, in minor units. */
  succeeded_amount: Type.Integer({ minimum: 0 }),
});
const StatusCounts = Type.Record(Type.Enum(PAYMENT_STATUSES), Type.Integer({ minimum: 0 }));

/** Failure codes in one summary: the most frequent ones. */
export const MAX_SUMMARY_FAILURES = 5;

/** Counts of the payments created in a period. Buckets are hours for `24h`, otherwise days, in UTC, oldest first and without gaps. */
export const PaymentSummary = Type.Object({
  environment: EnvironmentSchema,
  period: Type.Enum(SUMMARY_PERIODS),
  from: Time,
  to: Time,
  /** Equals `from`. */
  counted_from: Time,
  statuses: StatusCounts,
  /** Most payments first. */
  currencies: Type.Array(CurrencyCount),
  /** The most frequent failure codes, most payments first. */
  failures: Type.Array(Type.Object({ code: Type.String(), payments: Type.Integer({ minimum: 1 }) }), {
    maxItems: MAX_SUMMARY_FAILURES,
  }),
  /** The same span of the period before, for comparison: as much of its last bucket as has elapsed of the current one. */
  previous: Nullable(Type.Object({ statuses: StatusCounts, currencies: Type.Array(CurrencyCount) })),
  /** Currency of the buckets' amounts: the requested one, or the first of `currencies`; null if there is none. */
  currency: Nullable(Type.String()),
  buckets: Type.Array(
    Type.Object({
      at: Time,
      payments: Type.Integer({ minimum: 0 }),
      succeeded: Type.Integer({ minimum: 0 }),
      failed: Type.Integer({ minimum: 0 }),
      /** In minor units of `currency`. */
      succeeded_amount: Type.Integer({ minimum: 0 }),
    }),
  ),
});
export type PaymentSummary = Static<typeof PaymentSummary>;
