import type { Variable } from '@tollgate/runtime/config';
import { type Keyring, parseKeyring } from './keyring.ts';

/** A variable with symmetric keys by version. */
export function keyring(name: string): Variable<Keyring> {
  return { name, parse: (value) => parseKeyring(value) };
}

/** One or more PEM keys, with line breaks or `\n` between the lines, or the base64 encoding of that text. */
export function pemKeys(name: string): Variable<string[]> {
  return {
    name,
    parse(value) {
      const pem = value.includes('-----BEGIN') ? value : Buffer.from(value, 'base64').toString('utf8');
      const keys = pem.replaceAll('\\n', '\n').match(/-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----/g);
      if (!keys) throw new Error('must be one or more keys in PEM format, or their base64 encoding');
      return keys;
    },
  };
}
