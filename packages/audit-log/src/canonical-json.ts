import canonicalize from 'canonicalize';

/**
 * The RFC 8785 form of a JSON value: the one text that all who hash or sign it agree on.
 * Throws an Error for what JSON cannot say: lone surrogates, infinite numbers.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('Only a JSON value has an RFC 8785 form');
  return text;
}
