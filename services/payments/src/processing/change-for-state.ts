import { isCancellationRequested, type KnownFailure, type PaymentDocument } from '../lifecycle/payment.ts';
import { paymentAtVersion } from '../lifecycle/payment-at-version.ts';
import { isAllowed, type TransitionType } from '../lifecycle/transitions.ts';
import type { ProcessorState } from '../processors/processor.ts';
import type { Change } from '../store/payment-writes.ts';

/** A processor that keeps changing its page must not make the document grow. */
const MAX_VERSIONS = 50;

type StateChange = Pick<Change, 'type' | 'nextAction' | 'processorReference' | 'set'>;

/** The change that a state at the processor means for the payment; null when it says nothing new. */
export function changeForState(payment: PaymentDocument, state: ProcessorState): StateChange | null {
  const type = typeFor(payment, state);
  if (type === null || !isAllowed(type, payment.status)) return null;
  const shown = paymentAtVersion(payment);
  const isNewReference = state.reference !== null && state.reference !== shown.processor_reference;
  const change = { type, processorReference: isNewReference ? (state.reference as string) : undefined };
  switch (type) {
    case 'payment.action_required': {
      const isSameAction = state.next_action?.url === shown.next_action?.url;
      if ((isSameAction && !isNewReference) || payment.version >= MAX_VERSIONS) return null;
      return { ...change, nextAction: state.next_action ?? undefined };
    }
    case 'payment.failed':
      return { ...change, set: { failure: state.failure ?? CANCELED_BY_PROCESSOR } };
    case 'payment.canceled':
      return { ...change, set: { cancellation_reason: cancellationReason(payment) } };
    default:
      return change;
  }
}

/** The payment was already processing, which cannot become canceled: for the caller, the payment failed. */
export const CANCELED_BY_PROCESSOR: KnownFailure = {
  code: 'canceled_by_processor',
  message: 'The processor canceled the payment.',
};

function typeFor({ status }: PaymentDocument, state: ProcessorState): TransitionType | null {
  if (state.status === 'canceled' && status === 'processing') return 'payment.failed';
  if (state.status === 'processing' && status === 'processing') return null;
  return `payment.${state.status}`;
}

/** The reason in the request to cancel. Without a request, the payer left the processor's page or let it expire. */
function cancellationReason(payment: PaymentDocument) {
  return isCancellationRequested(payment) ? payment.cancellation_reason : 'abandoned';
}
