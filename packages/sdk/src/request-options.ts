import { check, isObject } from './arguments.ts';

export interface RequestOptions {
  /** Cancels the call, also while it waits for the next attempt. The call then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Deadline of the whole call, with all attempts and waits. */
  timeoutMs?: number;
}

export interface WriteOptions extends RequestOptions {
  /**
   * 1 to 255 visible ASCII characters. The same key with the same request has no second effect. By default every
   * call has a new key, which its attempts share.
   */
  idempotencyKey?: string;
}

/** Visible ASCII; the length is the limit of the gateway. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
/** Timers of JavaScript hold 31 bits. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Throws InvalidArgumentError. */
export function checkOptions(options: WriteOptions): void {
  check(isObject(options), 'invalid-options', 'The options of a call must be an object.');
  const { signal, timeoutMs, idempotencyKey } = options as { [Name in keyof WriteOptions]: unknown };
  if (timeoutMs !== undefined) checkTimeout(timeoutMs);
  check(
    signal === undefined || typeof (signal as AbortSignal | null)?.throwIfAborted === 'function',
    'invalid-signal',
    'signal must be an AbortSignal.',
  );
  check(
    idempotencyKey === undefined ||
      (typeof idempotencyKey === 'string' && IDEMPOTENCY_KEY.test(idempotencyKey)),
    'invalid-idempotency-key',
    'idempotencyKey must be a string of 1 to 255 visible ASCII characters.',
  );
}

/** Throws InvalidArgumentError. */
export function checkTimeout(timeoutMs: unknown): void {
  check(
    typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS,
    'invalid-timeout',
    `timeoutMs must be a number above 0 and up to ${LONGEST_TIMEOUT_MS}.`,
  );
}
