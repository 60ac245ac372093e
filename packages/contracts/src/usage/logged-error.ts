import Type, { type Static } from 'typebox';
import { containsCardNumber } from '../platform/card-number.ts';
import type { FieldError } from '../platform/problem.ts';

export const LOGGED_ERROR_LIMITS = {
  /** The first errors of a request. More of them explain nothing more. */
  perRequest: 10,
  /** Longer than any place that this release names. */
  placeLength: 100,
  codeLength: 40,
} as const;

const Place = Type.Optional(Type.String({ maxLength: LOGGED_ERROR_LIMITS.placeLength }));

/** Where one field of a rejected request is, and what is wrong with it. Never contains the value. */
export const LoggedError = Type.Object({
  pointer: Place,
  parameter: Place,
  header: Place,
  code: Type.String({ maxLength: LOGGED_ERROR_LIMITS.codeLength }),
});
export type LoggedError = Static<typeof LoggedError>;

/**
 * The loggable part of the errors of a problem. Reads anything: payments of another release may have sent it. Callers choose the
 * names of unknown fields and of metadata, so a pointer ends before a name that may be a value, and a parameter of such a
 * name is left out.
 */
export function loggedErrors(errors: unknown): LoggedError[] {
  if (!Array.isArray(errors)) return [];
  return errors.slice(0, LOGGED_ERROR_LIMITS.perRequest).flatMap((error) => loggedError(error) ?? []);
}

function loggedError(error: Partial<FieldError> | null): LoggedError | null {
  const { code, pointer, parameter, header } = error ?? {};
  if (typeof code !== 'string' || !CODE.test(code)) return null;
  if (typeof pointer === 'string') return { pointer: loggablePointer(pointer), code };
  if (typeof parameter === 'string') return isLoggable(parameter) ? { parameter, code } : { code };
  if (typeof header === 'string') return isLoggable(header) ? { header, code } : { code };
  return null;
}

const CODE = new RegExp(`^[a-z][a-z-]{0,${LOGGED_ERROR_LIMITS.codeLength - 1}}$`);
/** A word as programs name fields, too short for an API key, or an index of an array. */
const NAME = /^(?:[A-Za-z_][A-Za-z0-9_-]{0,39}|\d{1,3})$/;

function isLoggable(name: string): boolean {
  return NAME.test(name) && !containsCardNumber(name);
}

function loggablePointer(pointer: string): string {
  const names = pointer.split('/').slice(1);
  const end = names.findIndex((name) => !isLoggable(name));
  const whole = ['', ...(end === -1 ? names : names.slice(0, end))].join('/');
  return whole.length <= LOGGED_ERROR_LIMITS.placeLength ? whole : '';
}
