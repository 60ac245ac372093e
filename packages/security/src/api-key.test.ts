import { createLogger } from '@tollgate/runtime/logger';
import { expect, it } from 'vitest';
import { digestApiKey, generateApiKey, parseApiKey } from './api-key.ts';

it.each(['live', 'sandbox'] as const)(
  'an API key that is generated for %s parses to its environment and lookup id',
  (environment) => {
    const { credential, lookupId } = generateApiKey(environment);
    expect(parseApiKey(credential)).toEqual({ environment, lookupId });
    expect(credential).toHaveLength(`tg_${environment}_`.length + 16 + 1 + 32 + 6);
  },
);

it('an API key ends with the CRC-32 of the text before it, in six base62 digits', () => {
  const unchecked = `tg_live_${'A'.repeat(16)}_${'b'.repeat(32)}`;
  // CRC-32 (zlib) of the text is 0x53925ffa, which is 1402101754 = "1Wt4iQ" in digits 0-9A-Za-z.
  expect(parseApiKey(`${unchecked}1Wt4iQ`)).not.toBeNull();
  expect(parseApiKey(`${unchecked}1Wt4iR`)).toBeNull();
});

it('an API key is rejected without a lookup when any character has changed', () => {
  const { credential } = generateApiKey('live');
  for (let index = 0; index < credential.length; index++) {
    const other = credential[index] === 'x' ? 'y' : 'x';
    expect(parseApiKey(credential.slice(0, index) + other + credential.slice(index + 1))).toBeNull();
  }
  for (const text of ['', 'tg_live_', `${credential} `, credential.slice(1), `${credential}0`]) {
    expect(parseApiKey(text)).toBeNull();
  }
});

it('an API key has a digest that depends on the credential and the pepper', () => {
  const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const { credential } = generateApiKey('live');
  expect(digestApiKey(credential, one)).toHaveLength(32);
  expect(digestApiKey(credential, one)).toEqual(digestApiKey(credential, one));
  expect(digestApiKey(credential, one)).not.toEqual(digestApiKey(credential, two));
  expect(digestApiKey(credential, one)).not.toEqual(digestApiKey(`${credential}x`, one));
});

it('an API key is redacted in log lines, except for its lookup id', () => {
  const { credential, lookupId } = generateApiKey('live');
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  createLogger({ service: 'test', destination }).error({ err: new Error(`no ${credential}`) }, 'failed');
  expect(lines.join()).toContain(`no tg_live_${lookupId}_***`);
  expect(lines.join()).not.toContain(credential);
});
