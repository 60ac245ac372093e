/**
 * A JSON value without lone surrogates, which neither RFC 8785 nor MongoDB can represent: a name may contain one, and
 * its record would be rejected permanently.
 */
export function wellFormed<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_name, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  ) as T;
}
