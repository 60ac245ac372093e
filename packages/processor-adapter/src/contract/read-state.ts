import { type NextAction, PAYMENT_LIMITS, PROCESSOR_STATUSES } from '@tollgate/contracts/payments/payment';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import { toPlainText } from '@tollgate/contracts/platform/plain-text';
import type { Problem } from '@tollgate/contracts/platform/problem';
import { parseStrictJson } from '@tollgate/http/strict-json';
import { Callback, PaymentState, type ProcessorFailure, Rejection } from './payment-state.ts';

/** The body of a response or callback breaks the contract. The message says how. */
export class MalformedBody extends Error {}

/** @throws MalformedBody */
export function readState(body: string): PaymentState {
  return complete(read(PaymentState, body) as PaymentState);
}

/** @throws MalformedBody */
export function readCallback(body: string): Callback {
  return complete(read(Callback, body) as Callback);
}

/** @throws MalformedBody */
export function readRejection(body: string): Rejection {
  const rejection = read(Rejection, body) as Rejection;
  return { ...rejection, failure: plainFailure(rejection.failure) };
}

type Schema = typeof PaymentState | typeof Callback | typeof Rejection;

function read(schema: Schema, body: string): unknown {
  const reader = openReader(schema);
  const value = parse(body);
  const known = reader.read(value);
  if (known === null)
    throw new MalformedBody(`The body does not match the contract: ${reader.describeMismatch(value)}.`);
  return known;
}

function parse(body: string): unknown {
  try {
    // An amount must have the digits that were sent.
    return parseStrictJson(Buffer.from(body));
  } catch (error) {
    throw new MalformedBody((error as Problem).details.detail);
  }
}

/** The normal form is ASCII, as callers put the URL into a header. */
function normalAction(action: NextAction): NextAction {
  const url = URL.parse(action.url)?.href ?? '';
  if (url !== '' && url.length <= PAYMENT_LIMITS.actionUrl) return { ...action, url };
  throw new MalformedBody(
    `next_action.url must be a URL of at most ${PAYMENT_LIMITS.actionUrl} characters when it is percent-encoded.`,
  );
}

/** A processor's text cannot be rejected, because the state of the payment came with it. */
function plainFailure(failure: ProcessorFailure): ProcessorFailure {
  return { ...failure, message: toPlainText(failure.message) || failure.code };
}

/** An unknown status is malformed: Tollgate must not guess what it means for the money. */
function complete<State extends PaymentState>(state: State): State {
  if (!PROCESSOR_STATUSES.includes(state.status)) {
    throw new MalformedBody(`The status ${JSON.stringify(state.status)} is unknown.`);
  }
  if (state.status === 'action_required' && !state.next_action) {
    throw new MalformedBody('The status is action_required, but next_action is missing.');
  }
  if (state.status === 'failed' && !state.failure) {
    throw new MalformedBody('The status is failed, but failure is missing.');
  }
  if (state.status === 'succeeded' && (typeof state.amount !== 'number' || !state.currency)) {
    throw new MalformedBody(
      'The status is succeeded, but amount or currency is missing. Upgrade the adapter to a version that reports both.',
    );
  }
  return {
    ...state,
    ...(state.next_action && { next_action: normalAction(state.next_action) }),
    ...(state.failure && { failure: plainFailure(state.failure) }),
  };
}
