import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '@tollgate/security/keyring';
import type { Cause, HistoryEntry, MemberDecision, Party, PaymentDocument } from '../lifecycle/payment.ts';
import { isAllowed, isFinal, type LifecycleType, statusAfter } from '../lifecycle/transitions.ts';

/** The facts that a payment is created with. Only the first entry's seal contains them: they never change. */
type CreationFacts = Pick<
  PaymentDocument,
  | 'amount'
  | 'currency'
  | 'purpose'
  | 'reference'
  | 'payer'
  | 'payee'
  | 'payment_method'
  | 'metadata'
  | 'created_at'
  | 'expires_at'
  | 'return_url'
> & { settlement: { processor: string } };

/** The facts that an ending adds. */
export type EndingFacts = Pick<PaymentDocument, 'failure' | 'cancellation_reason'>;

export type SealedOwner = Pick<PaymentDocument, '_id' | 'team_id' | 'application_id' | 'environment'>;

/** What a record of an erasure says. */
export type SealedErasure = Pick<HistoryEntry, 'occurred_at' | 'cause' | 'request_id'>;

/** Why a stored payment fails verification. */
export type HistoryFault = 'unsealed' | 'altered' | 'malformed';

export type HistorySeals = ReturnType<typeof createHistorySeals>;

/** A later release that seals other facts needs another scheme, and must verify this one as well. */
const SCHEME = 'v1';

/**
 * Seals of what this service writes: an HMAC per history entry and per decision, under a key that only this service has.
 * An attacker who can write to the database can therefore neither have an event signed nor have a payment settled.
 */
export function createHistorySeals(keys: Keyring) {
  const current = `${SCHEME}.${keys.current.version}.`;

  const seal = (text: string, { version, key } = keys.current) =>
    `${SCHEME}.${version}.${createHmac('sha256', key).update(text).digest('base64url')}`;

  function faultOf(text: string, sealed: unknown): HistoryFault | null {
    if (sealed === undefined) return 'unsealed';
    if (typeof sealed !== 'string') return 'malformed';
    const version = sealed.split('.')[1] ?? '';
    const key = keys.get(version);
    return key !== undefined && isEqual(seal(text, { version, key }), sealed) ? null : 'altered';
  }

  function faultOfStored(payment: PaymentDocument): HistoryFault | null {
    if (!hasOneEntryPerVersion(payment)) return 'altered';
    for (const entry of payment.history) {
      const fault = faultOf(entryText(payment, entry), entry.seal);
      if (fault !== null) return fault;
    }
    const { decision, decision_seal } = payment.settlement;
    return decision === undefined ? null : faultOf(decisionText(payment, decision), decision_seal);
  }

  return {
    /** Returns the seal of a change that is about to be written to a payment, which need not be read for it. */
    sealTransition: (payment: SealedOwner, entry: HistoryEntry, ending: EndingFacts) =>
      seal(transitionText(payment, entry, ending)),
    sealDecision: (payment: SealedOwner, decision: MemberDecision) => seal(decisionText(payment, decision)),
    /** Whether this service wrote the decision. */
    isDecision: (payment: SealedOwner, decision: MemberDecision, sealed: unknown) =>
      faultOf(decisionText(payment, decision), sealed) === null,
    /** Returns the seal of an entry that the payment contains. */
    sealOf: (payment: PaymentDocument, entry: HistoryEntry) => seal(entryText(payment, entry)),
    /** Returns the seal of a record that the payment was erased. */
    sealErasure: (payment: SealedOwner, erasure: SealedErasure) => seal(erasureText(payment, erasure)),
    /** Whether this service wrote the record. */
    isErasure: (payment: SealedOwner, erasure: SealedErasure, sealed: unknown) =>
      faultOf(erasureText(payment, erasure), sealed) === null,
    /** Whether the current key wrote the seal. */
    isCurrent: (sealed: string | undefined) => sealed?.startsWith(current) ?? false,
    /** Returns why the payment fails verification: its history, its facts, or the decision. Null if it is verified. */
    verify(payment: PaymentDocument): HistoryFault | null {
      try {
        return faultOfStored(payment);
      } catch {
        // A field is missing or has another type: this service did not write the document.
        return 'malformed';
      }
    },
  };
}

/** So that no entry is added, duplicated, removed, or moved, and the status is the one that the history leads to. */
function hasOneEntryPerVersion({ history, version, status }: PaymentDocument): boolean {
  const last = history.at(-1);
  return (
    last !== undefined &&
    history.length === version &&
    history.every((entry, index) => entry.version === index + 1) &&
    new Set(history.map(({ event_id }) => event_id)).size === version &&
    history.every((entry, index) => follows(entry, history[index - 1])) &&
    status === statusAfter(last.type)
  );
}

function follows({ type, is_erasure }: HistoryEntry, previous: HistoryEntry | undefined): boolean {
  if (type === 'payment.created' || previous === undefined) {
    return type === 'payment.created' && previous === undefined;
  }
  if (is_erasure) return isFinal(statusAfter(type)) && type === previous.type && !previous.is_erasure;
  return isAllowed(type, statusAfter(previous.type));
}

function entryText(payment: PaymentDocument, entry: HistoryEntry): string {
  if (entry.type === 'payment.created') return creationText(payment, entry);
  return transitionText(payment, entry, {
    failure: entry.type === 'payment.failed' ? payment.failure : null,
    cancellation_reason: CANCELLATIONS.includes(entry.type) ? payment.cancellation_reason : null,
  });
}

/** Both write the reason. */
const CANCELLATIONS: readonly LifecycleType[] = ['payment.canceled', 'payment.cancellation_requested'];

/*
 * Each text is an array, not an object, so that no order of fields can differ. The first element keeps the seal of one
 * thing from being valid for another.
 */

function creationText(payment: SealedOwner & CreationFacts, entry: HistoryEntry): string {
  return JSON.stringify([
    'tollgate-payment-creation',
    ...ownerAndEntry(payment, entry),
    payment.amount,
    payment.currency,
    payment.purpose,
    payment.reference,
    partyFields(payment.payer),
    partyFields(payment.payee),
    payment.payment_method,
    payment.metadata?.map(({ key, value }) => [key, value]),
    payment.created_at.toISOString(),
    payment.expires_at.toISOString(),
    payment.settlement.processor,
    payment.return_url ?? null,
  ]);
}

function transitionText(payment: SealedOwner, entry: HistoryEntry, ending: EndingFacts): string {
  const { failure, cancellation_reason } = ending;
  return JSON.stringify([
    'tollgate-payment-transition',
    ...ownerAndEntry(payment, entry),
    failure && [failure.code, failure.message],
    cancellation_reason,
    entry.next_action ? [entry.next_action.type, entry.next_action.url] : null,
    entry.processor_reference ?? null,
    entry.is_erasure ?? false,
  ]);
}

function decisionText(payment: SealedOwner, { outcome, cause, request_id }: MemberDecision): string {
  return JSON.stringify([
    'tollgate-payment-decision',
    ...ownerFields(payment),
    outcome.status,
    outcome.status === 'failed' ? [outcome.failure.code, outcome.failure.message] : null,
    causeFields(cause),
    request_id,
  ]);
}

function erasureText(payment: SealedOwner, { occurred_at, cause, request_id }: SealedErasure): string {
  return JSON.stringify([
    'tollgate-payment-erasure',
    ...ownerFields(payment),
    occurred_at.toISOString(),
    causeFields(cause),
    request_id,
  ]);
}

function ownerAndEntry(payment: SealedOwner, entry: HistoryEntry): unknown[] {
  return [
    ...ownerFields(payment),
    entry.event_id,
    entry.type,
    entry.version,
    entry.occurred_at.toISOString(),
    causeFields(entry.cause),
    entry.request_id,
  ];
}

function ownerFields({ _id, team_id, application_id, environment }: SealedOwner): string[] {
  return [_id, team_id, application_id, environment];
}

function causeFields({ type, id, address = null }: Cause): unknown[] {
  return [type, id, address];
}

function partyFields(party: Party | null): unknown[] | null {
  return party && [party.name, party.account, party.email];
}

function isEqual(expected: string, received: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(received)];
  return a.length === b.length && timingSafeEqual(a, b);
}
