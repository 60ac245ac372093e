import { USAGE_OPERATIONS, USAGE_OUTCOMES, type UsageOperation, type UsageOutcome } from './usage.ts';

/**
 * One request as gateways write it to their files and put it into usage windows. One line each, because there is one per
 * request: a line costs the gateway less than an object.
 */
export interface RequestLine {
  /** Index of the caller in the window. */
  caller: number;
  operation: UsageOperation;
  /** Null if it is not counted, because its API key was rejected. */
  outcome: UsageOutcome | null;
  durationUs: number;
  /** Request id, which contains the time at which the request arrived. */
  id: string;
  /** Null if the client disconnected before the response. */
  status: number | null;
  /** Error code. */
  code: string | null;
  /** IP address of the client. */
  address: string;
  paymentId: string | null;
  /** See idempotency-digest in security. Null without a valid key, and from a gateway of an earlier release. */
  idempotencyKey: string | null;
}

const NONE = '-';
/** Gateways of the previous release write no idempotency key. */
const REQUIRED_FIELDS = 9;
/** Position of the first word that does not belong to the fields. */
export const REQUEST_LINE_FIELDS = 10;

/** The fields, separated by spaces. Operations and outcomes are their positions, so their lists may only grow at the end. */
export function formatRequestLine(request: RequestLine): string {
  const { caller, operation, outcome, durationUs, id, status, code, address, paymentId, idempotencyKey } =
    request;
  const outcomeIndex = outcome === null ? NONE : USAGE_OUTCOMES.indexOf(outcome);
  return `${caller} ${USAGE_OPERATIONS.indexOf(operation)} ${outcomeIndex} ${durationUs} ${id} ${status ?? NONE} ${code ?? NONE} ${address} ${paymentId ?? NONE} ${idempotencyKey ?? NONE}`;
}

/** Ignores fields at the end that a later release adds. @throws Error for anything that no release writes */
export function parseRequestLine(line: string): RequestLine {
  const words = line.split(' ');
  const [caller, operation, outcome, durationUs, id, status, code, address, paymentId, idempotencyKey] =
    words as [string, ...string[]];
  const named = {
    operation: USAGE_OPERATIONS[Number(operation)],
    outcome: outcome === NONE ? null : USAGE_OUTCOMES[Number(outcome)],
  };
  if (words.length < REQUIRED_FIELDS || named.operation === undefined || named.outcome === undefined)
    throw new Error(`${JSON.stringify(line)} is not the line of a request.`);
  return {
    caller: integerIn(caller),
    operation: named.operation,
    outcome: named.outcome,
    durationUs: integerIn(durationUs),
    id: id as string,
    status: status === NONE ? null : integerIn(status),
    code: code === NONE ? null : (code as string),
    address: address as string,
    paymentId: paymentId === NONE ? null : (paymentId as string),
    idempotencyKey: idempotencyKey === NONE ? null : (idempotencyKey ?? null),
  };
}

function integerIn(text = ''): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Error(`${JSON.stringify(text)} is not a number.`);
}
