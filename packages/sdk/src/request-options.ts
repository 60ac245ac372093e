import { check, isObject } from './arguments.ts';

export interface RequestOptions {
  /** Cancels the call, also while it waits for the next attempt. The call then rejects with an AbortError. */
  signal?: AbortSignal | undefined;
  /** Deadline of the whole call, with all attempts and waits. */
  timeoutMs?: number | undefined;
  /** Time limit of each attempt. */
  attemptTimeoutMs?: number | undefined;
}

export interface WriteOptions extends RequestOptions {
  /**
   * 1 to 255 visible ASCII characters. The same key with the same request has no second effect. By default every
   * call has a new key, which its attempts share.
   */
  idempotencyKey?: string | undefined;
}

export interface CreateOptions extends WriteOptions {
  /**
   * Waits up to 10 seconds for the first reply of the processor, in place of one second. The payment then has `next_action` if the payer
   * must act.
   */
  waitForAction?: boolean | undefined;
}

/** Visible ASCII; the length is the limit of the gateway. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
/** Timers of JavaScript hold 31 bits. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Throws InvalidArgumentError. */
export function checkOptions(options: CreateOptions): void {
  check(isObject(options), 'invalid-options', 'The options of a call must be an object.');
  const { signal, idempotencyKey, waitForAction } = options as { [Name in keyof CreateOptions]: unknown };
  checkTimeouts(options);
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
  check(
    waitForAction === undefined || typeof waitForAction === 'boolean',
    'invalid-options',
    'waitForAction must be a boolean.',
  );
}

/** Throws InvalidArgumentError. */
export function checkTimeouts({ timeoutMs, attemptTimeoutMs }: RequestOptions): void {
  for (const [name, value] of Object.entries({ timeoutMs, attemptTimeoutMs })) {
    check(
      value === undefined || (typeof value === 'number' && value > 0 && value <= LONGEST_TIMEOUT_MS),
      'invalid-timeout',
      `${name} must be a number above 0 and up to ${LONGEST_TIMEOUT_MS}.`,
    );
  }
}
