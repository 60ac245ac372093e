import Value from 'typebox/value';
import { PaymentRejected } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import {
  ADAPTER_LIMITS,
  PaymentState,
  type ProcessorFailure,
  type Rejection,
} from '../contract/payment-state.ts';
import { readRejection, readState } from '../contract/read-state.ts';

/**
 * Calls a function of the adapter's author, and checks its result as Tollgate will.
 *
 * @throws PaymentRejected as the author throws it
 * @throws AdapterError 502 for any other error: the outcome is unknown
 */
export async function askAdapter(ask: () => Promise<PaymentState>): Promise<PaymentState> {
  try {
    return checkedState(await ask());
  } catch (error) {
    if (error instanceof PaymentRejected) throw error;
    throw failed(error);
  }
}

/** @throws AdapterError 502 */
export function checkedRejection({ failure }: PaymentRejected): Rejection {
  try {
    return readRejection(JSON.stringify({ failure: fitted(failure) }));
  } catch (error) {
    throw failed(error);
  }
}

function failed(cause: unknown): AdapterError {
  return new AdapterError(
    502,
    "The call failed, because the processor or the adapter's code reported an error. The outcome is unknown. The log of the adapter has the error. Repeat the call.",
    { cause },
  );
}

/** Keeps only what belongs to the status, so that a stale link or failure is never sent. */
function checkedState(returned: PaymentState): PaymentState {
  const { status, reference, next_action, failure } = returned;
  const state = {
    status,
    reference,
    ...(status === 'action_required' && { next_action }),
    ...(status === 'failed' && { failure: failure && fitted(failure) }),
  };
  return Value.Clean(PaymentState, readState(JSON.stringify(state))) as PaymentState;
}

/** Processors do not limit their messages. */
function fitted({ code, message }: ProcessorFailure): ProcessorFailure {
  return { code, message: message.slice(0, ADAPTER_LIMITS.failureMessage) };
}
