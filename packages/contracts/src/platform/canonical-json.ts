import canonicalize from 'canonicalize';

/**
 * Returns the RFC 8785 form of a JSON value, the canonical text for hashes and signatures.
 * Throws an Error for values that JSON cannot represent: lone surrogates, infinite numbers.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('Only a JSON value has a canonical form (RFC 8785)');
  return text;
}

/**
 * A JSON value without lone surrogates, which neither RFC 8785 nor MongoDB can represent: a name may contain one, and
 * its record would be rejected permanently.
 */
export function wellFormed<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_name, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  ) as T;
}
