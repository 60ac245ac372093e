import type { ArgumentErrorCode } from './error-code.ts';
import { InvalidArgumentError } from './errors.ts';

/** Throws InvalidArgumentError unless the argument is valid. Applications without types pass any value. */
export function check(isValid: unknown, code: ArgumentErrorCode, message: string): asserts isValid {
  if (!isValid) throw new InvalidArgumentError(message, { code });
}

/** Whether a value is an object with fields: not null, not an array, and not a promise without `await`. */
export function isObject(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Object]';
}
