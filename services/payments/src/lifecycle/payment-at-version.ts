import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { Payment, WaitingFor } from '@tollgate/contracts/payments/payment';
import { MANUAL_PROCESSOR, SANDBOX_PROCESSOR } from '@tollgate/contracts/payments/processors';
import type { SandboxPaymentMethod } from '@tollgate/contracts/payments/sandbox-payment-methods';
import {
  erasureOf,
  type HistoryEntry,
  isCancellationRequested,
  newestAction,
  type PaymentDocument,
} from './payment.ts';
import { isCancelable, statusAfter } from './transitions.ts';

const HOLD: SandboxPaymentMethod = 'pm_hold';

/**
 * The payment as the API showed it at `version` (default: the current version), from its immutable fields and its
 * history. Replays and events need the state at that version, regardless of later changes.
 */
export function paymentAtVersion(
  document: Omit<PaymentDocument, 'create_key'>,
  version: number = document.version,
): Payment {
  const entries = document.history.slice(0, version);
  const last = entries.at(-1);
  if (entries.length !== version || last?.version !== version) {
    throw new Error(
      `The history of ${document._id} has no version ${version}: it must have one entry per version`,
    );
  }
  const timeOf = (type: PaymentEventType): string | null =>
    entries.find((entry) => entry.type === type)?.occurred_at.toISOString() ?? null;
  const status = statusAfter(last.type);
  return {
    id: document._id,
    object: 'payment',
    environment: document.environment,
    amount: document.amount,
    currency: document.currency,
    purpose: document.purpose,
    reference: document.reference,
    payer: document.payer,
    payee: document.payee,
    payment_method: document.payment_method,
    metadata:
      document.metadata && Object.fromEntries(document.metadata.map(({ key, value }) => [key, value])),
    status,
    cancelable: isCancelable(status),
    version,
    failure: status === 'failed' ? document.failure : null,
    cancellation_reason: status === 'canceled' ? document.cancellation_reason : null,
    return_url: document.return_url ?? null,
    next_action: status === 'pending' ? newestAction(entries) : null,
    waiting_for: status === 'pending' ? waitingFor(document, entries) : null,
    processor: document.settlement.processor,
    processor_reference: entries.findLast(hasReference)?.processor_reference ?? null,
    expires_at: document.expires_at.toISOString(),
    created_at: document.created_at.toISOString(),
    updated_at: last.occurred_at.toISOString(),
    succeeded_at: timeOf('payment.succeeded'),
    failed_at: timeOf('payment.failed'),
    canceled_at: timeOf('payment.canceled'),
    cancellation_requested_at: timeOf('payment.cancellation_requested'),
    // Set in every version, because none has the data any more.
    erased_at: erasureOf(document)?.occurred_at.toISOString() ?? null,
  };
}

function hasReference({ processor_reference }: HistoryEntry): boolean {
  return processor_reference !== undefined;
}

/** Who acts next on the payment while it is pending, after these entries of its history. */
function waitingFor(
  { settlement: { processor }, payment_method }: Pick<PaymentDocument, 'settlement' | 'payment_method'>,
  history: HistoryEntry[],
): WaitingFor {
  if (isSettledByMember(processor, payment_method)) return 'member';
  return newestAction(history) && !isCancellationRequested({ history }) ? 'payer' : 'processor';
}

/** Whether a member ends the payment, in the sandbox by a simulation, and no processor is called. */
export function isSettledByMember(processor: string, paymentMethod: string | null): boolean {
  return processor === MANUAL_PROCESSOR || (processor === SANDBOX_PROCESSOR && paymentMethod === HOLD);
}
