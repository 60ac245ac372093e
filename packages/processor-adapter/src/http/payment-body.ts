import { openReader } from '@tollgate/contracts/platform/open-reader';
import { Problem } from '@tollgate/contracts/platform/problem';
import { parseStrictJson } from '@tollgate/http/strict-json';
import Value from 'typebox/value';
import { AdapterError } from '../adapter-error.ts';
import { ProcessorPayment } from '../contract/payment-state.ts';
import { requireCallId } from './verify-call.ts';

/**
 * Reads the body of a start that was signed with this id, without the fields that this release does not know.
 *
 * @throws AdapterError 400, or 401 when the signature is for another payment
 */
export function readPaymentBody(id: string, bytes: Uint8Array): ProcessorPayment {
  const value = parse(bytes);
  const { id: paymentId } = Object(value) as { id?: unknown };
  requireCallId(id, 'start', String(paymentId));
  const reader = openReader(ProcessorPayment);
  const payment = reader.read(value);
  if (payment === null) throw invalid(`does not match the contract: ${reader.describeMismatch(value)}`);
  return Value.Clean(ProcessorPayment, payment) as ProcessorPayment;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    if (error instanceof Problem) throw invalid(`cannot be read. ${error.details.detail}`);
    throw error;
  }
}

function invalid(why: string): AdapterError {
  return new AdapterError(400, `The payment was not started: the body ${why}`);
}
