import type { Environment } from '@tollgate/contracts/environment';
import type { PaymentEventType } from '@tollgate/contracts/events';
import { newId } from '@tollgate/contracts/ids';
import type { CancellationReason, PaymentStatus } from '@tollgate/contracts/payment';

/**
 * A payment as stored, under the stored names: one document holds the state, the timeline, both idempotency keys, and
 * the outbox.
 */
export interface PaymentDocument {
  _id: string;
  team_id: string;
  application_id: string;
  environment: Environment;
  /** Minor units; at most 999999999999, which a double represents exactly. */
  amount: number;
  currency: string;
  purpose: string | null;
  reference: string | null;
  payer: Party | null;
  payee: Party | null;
  payment_method: string | null;
  /** Pairs, not an object: metadata keys may contain `.`, `$`, and NUL, which are unsafe in BSON element names. */
  metadata: { key: string; value: string }[] | null;
  status: PaymentStatus;
  version: number;
  failure: Failure | null;
  cancellation_reason: CancellationReason | null;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
  settlement: Settlement;
  /** Absent in a payment that an earlier release created without an idempotency key. */
  create_key?: BoundKey;
  cancel_key?: BoundKey;
  history: HistoryEntry[];
}

export interface Party {
  name: string | null;
  account: string | null;
  email: string | null;
}

export interface Failure {
  code: string;
  message: string;
}

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
  /** Written with the claim, so that a crash before the finish does not lose it. */
  decision?: MemberDecision;
  /** Beside the decision, because earlier releases write back the decision that they read. */
  decision_seal?: string;
}

/** A member's decision about how a payment ends. */
export interface MemberDecision {
  outcome: SettlementOutcome;
  cause: Cause;
  /** Id of the admin request. */
  request_id: string | null;
}

/** An idempotency key and the request that permanently bound it. */
export interface BoundKey {
  key: string;
  /** `<algorithm version>:<hex>`, see `@tollgate/store/request-fingerprint`. */
  fingerprint: string;
}

/** The actor or component that caused a change. */
export interface Cause {
  type: 'key' | 'member' | 'token' | 'processor' | 'expiry';
  /** Id of the key or member, name of the processor; null for expiry. */
  id: string | null;
  /** IP address of the member's browser, for the audit record. */
  address?: string | null;
}

/** One change: a line of the timeline, and an event, which is unpublished while `published_at` is null. */
export interface HistoryEntry {
  event_id: string;
  type: PaymentEventType;
  version: number;
  occurred_at: Date;
  cause: Cause;
  request_id: string | null;
  published_at: Date | null;
  /** See history-seal.ts. Absent in an entry of a release that did not seal. */
  seal?: string;
}

export type TransitionType = Exclude<PaymentEventType, 'payment.created'>;

/** All allowed changes of status. */
export const TRANSITIONS = {
  'payment.processing': { from: 'pending', to: 'processing' },
  'payment.succeeded': { from: 'processing', to: 'succeeded' },
  'payment.failed': { from: 'processing', to: 'failed' },
  'payment.canceled': { from: 'pending', to: 'canceled' },
} as const satisfies Record<TransitionType, { from: PaymentStatus; to: PaymentStatus }>;

/**
 * Version of a payment in a status that can still change. The states form a tree, so the status alone gives the number
 * of changes: a transition can write its own version without reading the payment first.
 */
export const VERSION_IN_STATUS = { pending: 1, processing: 2 } as const;

/** The version that a transition leads to. */
export function versionAfter(type: TransitionType): number {
  return VERSION_IN_STATUS[TRANSITIONS[type].from] + 1;
}

/** When this exact request made the change; null when another request made it. */
export function changedAtBy(
  { history }: Pick<PaymentDocument, 'history'>,
  type: PaymentEventType,
  requestId: string,
): Date | null {
  const entry = history.find((candidate) => candidate.type === type && candidate.request_id === requestId);
  return entry?.occurred_at ?? null;
}

export function isCancelable(status: PaymentStatus): boolean {
  return status === TRANSITIONS['payment.canceled'].from;
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
  createdAt: Date;
  cause: Cause;
  requestId: string;
  processor: string;
  dueAt: Date | null;
  createKey: BoundKey;
};

/** A pending payment at version 1 with its `payment.created`, ready to insert. */
export function newPayment(payment: NewPayment): PaymentDocument {
  const { createdAt, cause, requestId, processor, dueAt, createKey, ...fields } = payment;
  return {
    _id: newId('payment'),
    ...fields,
    status: 'pending',
    version: VERSION_IN_STATUS.pending,
    failure: null,
    cancellation_reason: null,
    created_at: createdAt,
    updated_at: createdAt,
    settlement: { processor, fence: 0, ...(dueAt && { due_at: dueAt }) },
    create_key: createKey,
    history: [
      newHistoryEntry({
        type: 'payment.created',
        version: VERSION_IN_STATUS.pending,
        occurredAt: createdAt,
        cause,
        requestId,
      }),
    ],
  };
}

export function newHistoryEntry(entry: {
  type: PaymentEventType;
  version: number;
  occurredAt: Date;
  cause: Cause;
  requestId: string | null;
}): HistoryEntry {
  return {
    event_id: newId('event'),
    type: entry.type,
    version: entry.version,
    occurred_at: entry.occurredAt,
    cause: entry.cause,
    request_id: entry.requestId,
    published_at: null,
  };
}
