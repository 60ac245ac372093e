import { PROCESSOR_LIMITS } from '@tollgate/contracts/payments/processors';
import type { Context } from '../context.ts';
import {
  isCancellationRequested,
  newestEntry,
  type PaymentDocument,
  type ProcessorCall,
} from '../lifecycle/payment.ts';
import { type Processor, type ProcessorState, processorNamed } from './processor.ts';

export type CallType = 'start' | 'status' | 'cancel';

/** What a call led to. With an error, the outcome is unknown. */
export interface CallResult {
  state: ProcessorState | null;
  record: ProcessorCall;
}

/** The call that the payment needs next. */
export function nextCall(payment: PaymentDocument): CallType {
  if (payment.status === 'pending' && isCancellationRequested(payment)) return 'cancel';
  return isKnownToProcessor(payment) ? 'status' : 'start';
}

/** Calls the payment's processor. Never throws: an error is part of the record, and decides nothing. */
export async function callProcessor(
  context: Context,
  payment: PaymentDocument,
  call: CallType,
): Promise<CallResult> {
  return observed(context, payment, call, () => ask(context, payment, call));
}

/** Asks about a payment without starting it. The state is null when the processor does not know the payment. */
export async function askStatus(context: Context, payment: PaymentDocument): Promise<CallResult> {
  const { processors, clock } = context;
  return observed(context, payment, 'status', async () =>
    processorNamed(processors, payment.settlement.processor).status(payment, new Date(clock.now())),
  );
}

/** Measures and records a call. Never throws. */
async function observed(
  { metrics, health, clock, logger }: Context,
  payment: PaymentDocument,
  call: CallType,
  run: () => Promise<ProcessorState | null>,
): Promise<CallResult> {
  const startedAt = clock.now();
  const result = await run().then(
    (state) => ({ state, error: null }),
    (error: Error) => ({ state: null, error }),
  );
  const durationMs = clock.now() - startedAt;
  const name = payment.settlement.processor;
  metrics.observeCall({ processor: name, call, durationMs, outcome: result.state?.status ?? 'unknown' });
  if (result.error) {
    logger.warn(
      { err: result.error, payment_id: payment._id, processor: name, processor_call: call },
      'a call to a processor failed; it will be repeated',
    );
  }
  const record: ProcessorCall = {
    at: new Date(startedAt),
    call,
    duration_ms: durationMs,
    status: result.state?.status ?? null,
    error: result.error ? result.error.message.slice(0, PROCESSOR_LIMITS.callError) : null,
  };
  health.note(name, record);
  return { state: result.state, record };
}

async function ask({ processors, clock }: Context, payment: PaymentDocument, call: CallType) {
  const processor = processorNamed(processors, payment.settlement.processor);
  const now = new Date(clock.now());
  if (call === 'cancel' && isKnownToProcessor(payment)) {
    // An adapter that has lost its data would confirm the cancellation of a payment that it does not know.
    const state = await statusOrStart(processor, payment, now);
    if (state.status !== 'action_required') return state;
  }
  return call === 'status' ? statusOrStart(processor, payment, now) : processor[call](payment, now);
}

/** The status; of a payment that the processor does not know, after starting it. */
async function statusOrStart(
  processor: Processor,
  payment: PaymentDocument,
  now: Date,
): Promise<ProcessorState> {
  return (await processor.status(payment, now)) ?? processor.start(payment, now);
}

/** The processor has replied to a call that starts the payment. */
function isKnownToProcessor(payment: PaymentDocument): boolean {
  return payment.status === 'processing' || newestEntry(payment, 'payment.action_required') !== undefined;
}
