import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { PAYMENT_EVENT_TYPES, type PaymentEvent } from '@tollgate/contracts/payments/events';
import type { PaymentStatus } from '@tollgate/contracts/payments/payment';
import { ID_PREFIXES } from '@tollgate/contracts/platform/ids';

/**
 * The audit entry of a decision about a payment. Null for a processor's own actions, and for the first half of a
 * decision, `processing`, whose end is the record. The entry has the UUID of the event, so that a repeated event yields
 * the same entry.
 */
export function paymentEntry(event: PaymentEvent): AuditEntry | null {
  const action = actionOf(event);
  if (action === null) return null;
  return {
    id: auditIdOf(event.id),
    occurred_at: event.occurred_at,
    team_id: event.team_id,
    environment: event.environment,
    actor: actorOf(event),
    action,
    // The caller's reference is not recorded, because records cannot be erased with the payment.
    target: { type: 'payment', id: event.data.id, name: null },
    application_id: event.application_id,
    changes: changesOf(event),
    context: { ip: event.cause.address, user_agent: null, request_id: event.request_id },
  };
}

/** `evt_…` → `aud_…` of the same UUID. */
function auditIdOf(eventId: string): string {
  return ID_PREFIXES.audit + eventId.slice(ID_PREFIXES.event.length);
}

/** A type that only a later release knows is its own action, so that the log misses no decision. */
function actionOf({ type, cause, environment, data }: PaymentEvent): AuditAction | null {
  if (type === 'payment.processing' || cause.type === 'processor') return null;
  if (!PAYMENT_EVENT_TYPES.includes(type)) return type as AuditAction;
  if (type === 'payment.created' || type === 'payment.cancellation_requested') return type;
  if (type === 'payment.erased') return type;
  const isSimulatedExpiry = data.cancellation_reason === 'expired';
  if (type === 'payment.canceled' && cause.type !== 'expiry' && !isSimulatedExpiry) return type;
  // Members and API tokens settle live payments and simulate sandbox payments, never the reverse.
  if (cause.type === 'member' || cause.type === 'token')
    return environment === 'live' ? 'payment.settled' : 'payment.simulated';
  return cause.type === 'expiry' ? 'payment.expired' : null;
}

/** Payments stores only the ids of keys, members, and API tokens. */
function actorOf({ cause }: PaymentEvent): AuditEntry['actor'] {
  if (cause.type === 'expiry' || cause.type === 'retention') {
    return { type: 'system', id: null, name: null, session_id: null };
  }
  return { type: cause.type, id: cause.id, name: null, session_id: null };
}

const STATUS_BEFORE: Partial<Record<PaymentEvent['type'], PaymentStatus>> = {
  'payment.canceled': 'pending',
  'payment.cancellation_requested': 'pending',
  'payment.succeeded': 'processing',
  'payment.failed': 'processing',
};

function changesOf({ type, data }: PaymentEvent): AuditEntry['changes'] {
  if (type === 'payment.created') {
    const { amount, currency, status } = data;
    return {
      amount: { before: null, after: amount },
      currency: { before: null, after: currency },
      status: { before: null, after: status },
    };
  }
  if (type === 'payment.erased') return { erased_at: { before: null, after: data.erased_at } };
  return {
    status: { before: STATUS_BEFORE[type] ?? null, after: data.status },
    ...(data.cancellation_reason !== null && {
      cancellation_reason: { before: null, after: data.cancellation_reason },
    }),
    ...(data.failure !== null && { failure_code: { before: null, after: data.failure.code } }),
  };
}
