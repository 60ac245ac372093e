import { createLogger } from '@tollgate/runtime/logger';
import { expect, it } from 'vitest';
import { generateApiKey, parseApiKey } from './api-key.ts';
import { digestApiToken, generateApiToken, looksLikeApiToken, parseApiToken } from './api-token.ts';

it('an API token parses to its lookup id', () => {
  const { credential, lookupId } = generateApiToken();
  expect(credential).toMatch(/^tg_admin_[0-9A-Za-z]{16}_[0-9A-Za-z]{38}$/);
  expect(parseApiToken(credential)).toEqual({ lookupId });
});

it('an API token is recognized by its prefix, and rejected without a lookup when any later character has changed', () => {
  const { credential } = generateApiToken();
  for (let index = 'tg_admin_'.length; index < credential.length; index++) {
    const other = credential[index] === 'x' ? 'y' : 'x';
    const changed = credential.slice(0, index) + other + credential.slice(index + 1);
    expect([looksLikeApiToken(changed), parseApiToken(changed)]).toEqual([true, null]);
  }
});

it('an API token is never accepted as an API key, nor a key as a token', () => {
  const key = generateApiKey('live').credential;
  expect(parseApiKey(generateApiToken().credential)).toBeNull();
  expect([looksLikeApiToken(key), parseApiToken(key)]).toEqual([false, null]);
});

it('an API token has a digest of 32 bytes that depends on the whole credential', () => {
  const { credential } = generateApiToken();
  expect(digestApiToken(credential)).toHaveLength(32);
  expect(digestApiToken(credential)).not.toEqual(digestApiToken(`${credential}x`));
});

it('an API token is redacted in log lines, except for its lookup id', () => {
  const { credential, lookupId } = generateApiToken();
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  createLogger({ service: 'test', destination }).error({ err: new Error(`no ${credential}`) }, credential);
  expect(lines.join()).toContain(`no tg_admin_${lookupId}_***`);
  expect(lines.join()).not.toContain(credential);
});
