import Value from 'typebox/value';
import { PaymentRejected } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import { ADAPTER_LIMITS, PaymentState, type ProcessorFailure } from '../contract/payment-state.ts';
import { readState } from '../contract/read-state.ts';

/**
 * Calls a function of the adapter's author, and checks its result as Tollgate will. A payment that the processor does not accept
 * has failed, and has no reference.
 *
 * @throws AdapterError 502 for any other error: the outcome is unknown
 */
export async function askAdapter(ask: () => Promise<PaymentState>): Promise<PaymentState> {
  try {
    return checkedState(await Promise.try(ask).catch(rejectedState));
  } catch (cause) {
    throw new AdapterError(
      502,
      "The call failed, because the processor or the adapter's code reported an error. The outcome is unknown. The log of the adapter has the error. Repeat the call.",
      { cause },
    );
  }
}

function rejectedState(error: unknown): PaymentState {
  if (error instanceof PaymentRejected) return { status: 'failed', reference: null, failure: error.failure };
  throw error;
}

/** Keeps only what belongs to the status, so that a stale link or failure is never sent. */
function checkedState(returned: PaymentState): PaymentState {
  const { status, reference, next_action, failure, ...money } = returned;
  const state = {
    status,
    reference,
    ...money,
    ...(status === 'action_required' && { next_action }),
    ...(status === 'failed' && { failure: failure && fitted(failure) }),
  };
  return Value.Clean(PaymentState, readState(JSON.stringify(state))) as PaymentState;
}

/** Processors do not limit their messages. */
function fitted({ code, message }: ProcessorFailure): ProcessorFailure {
  return { code, message: message.slice(0, ADAPTER_LIMITS.failureMessage).toWellFormed() };
}
