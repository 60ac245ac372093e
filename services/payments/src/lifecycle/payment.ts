import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { RequestPrincipal } from '@tollgate/contracts/applications/principal';
import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type {
  CancellationReason,
  NextAction,
  PaymentStatus,
  ProcessorStatus,
} from '@tollgate/contracts/payments/payment';
import type { PaymentFailureCode } from '@tollgate/contracts/payments/payment-failure-code';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { newId } from '@tollgate/contracts/platform/ids';
import {
  listOf,
  nullableShape,
  nullableText,
  optionalShape,
  RECORD_OPTIONS,
  shape,
  textOf,
} from '@tollgate/store/schema/fields';
import { currentTrace } from '@tollgate/tracing/current-trace';
import { parseTraceContext, type TraceContext } from '@tollgate/tracing/trace-context';
import { type InferRawDocType, Schema } from 'mongoose';
import { searchKeysOf } from './search-keys.ts';
import type { LifecycleType } from './transitions.ts';

export interface Party {
  name: string | null;
  account: string | null;
  email: string | null;
}

export interface Failure {
  code: string;
  message: string;
}

/** A failure that payments itself describes. */
export type KnownFailure = Failure & { code: PaymentFailureCode };

/** How a settlement ends. */
export type SettlementOutcome = { status: 'succeeded' } | { status: 'failed'; failure: Failure };

export interface Settlement {
  /** Name of the processor, fixed at creation: a configuration change does not move existing payments. */
  processor: string;
  /**
   * When a worker next processes the payment: the due time or the end of a worker's lease. Absent when no work is due.
   */
  due_at?: Date;
  /** Rises with every claim. Only the worker with the newest fence may finish. */
  fence: number;
  /** Before the first call that starts the payment at its processor. From then on, only the processor knows whether money moves. */
  started_at?: Date;
  /** Calls since the last visible change, for the time of the next one. */
  calls?: number;
  /** Written with the claim, so that a crash before the finish does not lose it. */
  decision?: MemberDecision;
  /** See history-seal.ts. */
  decision_seal?: string;
}

/** A member's decision about how a payment ends. */
export interface MemberDecision {
  outcome: SettlementOutcome;
  cause: Cause;
  /** Id of the admin request. */
  request_id: string | null;
}

/** One call to a processor. Never contains a credential or the payer's data. */
export interface ProcessorCall {
  at: Date;
  call: 'start' | 'status' | 'cancel' | 'callback';
  duration_ms: number;
  /** The status that the processor reported; null when it reported none. */
  status: ProcessorStatus | null;
  /** Why it reported none, or why the status was not used. */
  error: string | null;
}

/** Money that was refunded or disputed at the processor. The payment keeps its status. No seal covers it: it moves no money. */
export interface Reversal {
  /** When the processor reported it. */
  at: Date;
  type: 'refund' | 'dispute';
  /** In all, in minor units. 0 after a refund that failed, or a dispute that was won. */
  amount: number;
  currency: string;
}

/** An idempotency key and the request that permanently bound it. */
export interface BoundKey {
  key: string;
  /** `<algorithm version>:<hex>`, see `@tollgate/store/request-fingerprint`. */
  fingerprint: string;
}

/** The actor or component that caused a change. */
export interface Cause {
  type: 'key' | 'member' | 'token' | 'processor' | 'expiry' | 'retention';
  /** Id of the key or member, name of the processor; null for expiry and retention. */
  id: string | null;
  /** IP address of the client of a key, of the member's browser, or of the token's client, for the audit record. */
  address?: string | null;
}

/** One change: a line of the timeline, and an event, which is unpublished while `published_at` is null. */
export interface HistoryEntry {
  event_id: string;
  /** The status follows from it. So the entry of an erasure has the type of the change that ended the payment. */
  type: LifecycleType;
  /** Set in the entry of an erasure, which is the last one. */
  is_erasure?: true;
  version: number;
  occurred_at: Date;
  cause: Cause;
  request_id: string | null;
  published_at: Date | null;
  /** What the processor said with this change. Absent when it said nothing new. */
  next_action?: NextAction;
  processor_reference?: string;
  /** Trace of the request that made the change: the event continues it. Absent without a trace. No seal and no event contains it. */
  traceparent?: string;
  /** See history-seal.ts. Added when the entry is stored. */
  seal?: string;
}

const definition = {
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  application_id: { type: String, required: true },
  environment: textOf<Environment>(),
  /** Minor units; at most 999999999999, which a double represents exactly. */
  amount: { type: Number, required: true },
  currency: { type: String, required: true },
  purpose: nullableText(),
  reference: nullableText(),
  payer: nullableShape<Party>(),
  payee: nullableShape<Party>(),
  payment_method: nullableText(),
  /** Pairs, not an object: metadata keys may contain `.`, `$`, and NUL, which are unsafe in BSON element names. */
  metadata: nullableShape<{ key: string; value: string }[]>(),
  /** Absent when the caller gave none. */
  return_url: { type: String, allowNull: false },
  status: textOf<PaymentStatus>(),
  version: { type: Number, required: true },
  failure: nullableShape<Failure>(),
  /** Set with a cancellation, or with the request for one. It may still fail. */
  cancellation_reason: nullableText<CancellationReason>(),
  created_at: { type: Date, required: true },
  updated_at: { type: Date, required: true },
  expires_at: { type: Date, required: true },
  /** When it succeeded, also after an erasure. Absent while it has not, and where an earlier release wrote that, until the change is followed. */
  succeeded_at: { type: Date, allowNull: false },
  settlement: shape<Settlement>(),
  create_key: shape<BoundKey>(),
  cancel_key: optionalShape<BoundKey>(),
  history: listOf<HistoryEntry>(),
  /** See search-keys.ts. */
  search_keys: listOf<string>(),
  /** The newest calls to the processor, oldest first, for members to read. */
  processor_calls: optionalShape<ProcessorCall[]>(),
  /** What the processor has said about refunds and disputes since the payment ended, oldest first. Absent if it said nothing. */
  reversals: optionalShape<Reversal[]>(),
  /** When messages with the erased data are deleted from NATS next. Absent when none is left. */
  purge_due_at: { type: Date, allowNull: false },
  /** Set by an erasure, which takes the payment out of the index for retention. Readers use the history, which is sealed. */
  erased_at: { type: Date, allowNull: false },
  /** When they were first deleted. The next purge is the last one. */
  purged_at: { type: Date, allowNull: false },
} as const;

/** A payment: one document holds the state, the timeline, both idempotency keys, and the outbox. */
export type PaymentDocument = InferRawDocType<typeof definition>;

/** Writes and filters that name unknown fields are rejected. */
export const paymentSchema = new Schema(definition, {
  ...RECORD_OPTIONS,
  collection: 'payments',
  strictQuery: 'throw',
});

/** Every payment has this version when it is created. */
export const FIRST_VERSION = 1;

/** When this exact request made the change; null when another request made it. */
export function changedAtBy(
  { history }: Pick<PaymentDocument, 'history'>,
  types: readonly PaymentEventType[],
  requestId: string,
): Date | null {
  const entry = history.find(({ type, request_id }) => types.includes(type) && request_id === requestId);
  return entry?.occurred_at ?? null;
}

/** The type of the event for this change. */
export function eventTypeOf({
  type,
  is_erasure,
}: Pick<HistoryEntry, 'type' | 'is_erasure'>): PaymentEventType {
  return is_erasure ? 'payment.erased' : type;
}

/** When a payment reached its final status. Only an erasure can follow. */
export function endedAtOf({ history, updated_at }: Pick<PaymentDocument, 'history' | 'updated_at'>): Date {
  return history.findLast(({ is_erasure }) => !is_erasure)?.occurred_at ?? updated_at;
}

/** When the payment succeeded, by its history; null if it has not. */
export function succeededAtOf(payment: Pick<PaymentDocument, 'status' | 'history'>): Date | null {
  if (payment.status !== 'succeeded') return null;
  return (
    payment.history.findLast((entry) => entry?.type === 'payment.succeeded' && !entry.is_erasure)
      ?.occurred_at ?? null
  );
}

/** The erasure of the payment's personal data, if there was one. */
export function erasureOf({ history }: Pick<PaymentDocument, 'history'>): HistoryEntry | undefined {
  return history.find(({ is_erasure }) => is_erasure);
}

/** The newest change of a type, if there is one. An erasure changes nothing of that. */
export function newestEntry(
  { history }: Pick<PaymentDocument, 'history'>,
  type: PaymentEventType,
): HistoryEntry | undefined {
  return history.findLast((entry) => entry.type === type && !entry.is_erasure);
}

/** The action that the processor last requested of the payer, if it requested one. */
export function newestAction(history: readonly HistoryEntry[]): NextAction | null {
  return history.findLast(({ next_action }) => next_action !== undefined)?.next_action ?? null;
}

export function isCancellationRequested(payment: Pick<PaymentDocument, 'history'>): boolean {
  return newestEntry(payment, 'payment.cancellation_requested') !== undefined;
}

export type NewPayment = Pick<
  PaymentDocument,
  | 'team_id'
  | 'application_id'
  | 'environment'
  | 'amount'
  | 'currency'
  | 'purpose'
  | 'reference'
  | 'payer'
  | 'payee'
  | 'payment_method'
  | 'metadata'
  | 'expires_at'
> & {
  returnUrl: string | null;
  createdAt: Date;
  cause: Cause;
  requestId: string;
  processor: string;
  dueAt: Date | null;
  createKey: BoundKey;
};

/** A pending payment at version 1 with its `payment.created`, ready to insert. */
export function newPayment(payment: NewPayment): PaymentDocument {
  const { createdAt, cause, requestId, processor, dueAt, createKey, returnUrl, ...fields } = payment;
  const _id = newId('payment');
  return {
    _id,
    ...fields,
    search_keys: searchKeysOf({ _id, ...fields }),
    ...(returnUrl !== null && { return_url: returnUrl }),
    status: 'pending',
    version: FIRST_VERSION,
    failure: null,
    cancellation_reason: null,
    created_at: createdAt,
    updated_at: createdAt,
    settlement: { processor, fence: 0, ...(dueAt && { due_at: dueAt }) },
    create_key: createKey,
    history: [
      newHistoryEntry({
        type: 'payment.created',
        version: FIRST_VERSION,
        occurredAt: createdAt,
        cause,
        requestId,
      }),
    ],
  };
}

export function newHistoryEntry(entry: {
  type: LifecycleType;
  version: number;
  occurredAt: Date;
  cause: Cause;
  requestId: string | null;
  nextAction?: NextAction | undefined;
  processorReference?: string | undefined;
}): HistoryEntry {
  const { nextAction, processorReference } = entry;
  const trace = currentTrace();
  return {
    event_id: newId('event'),
    type: entry.type,
    version: entry.version,
    occurred_at: entry.occurredAt,
    cause: entry.cause,
    request_id: entry.requestId,
    published_at: null,
    ...(nextAction && { next_action: nextAction }),
    ...(processorReference !== undefined && { processor_reference: processorReference }),
    ...(trace && { traceparent: trace.traceparent }),
  };
}

/** The trace of the request that made the change; null if there was none. */
export function traceOfEntry({ traceparent }: Pick<HistoryEntry, 'traceparent'>): TraceContext | null {
  return parseTraceContext(traceparent);
}

export function causeOfActor(actor: Actor): Cause {
  const id = actor.type === 'member' ? actor.member_id : actor.token_id;
  return { type: actor.type, id, address: actor.address };
}

export function causeOfPrincipal({ key_id, client_address }: RequestPrincipal): Cause {
  return { type: 'key', id: key_id, address: client_address };
}

/** Whether two decisions end a payment in the same way. The message of a failure may differ. */
export function isSameOutcome(a: SettlementOutcome, b: SettlementOutcome): boolean {
  if (a.status !== 'failed' || b.status !== 'failed') return a.status === b.status;
  return a.failure.code === b.failure.code;
}
