import { randomBytes } from 'node:crypto';
import { ACCOUNT_LIMITS } from '@tollgate/contracts/platform/account-limits';
import { parseKeyring } from '@tollgate/security/keyring';
import { expect, test } from 'vitest';
import { findDeviceToken, rememberDevice } from './known-devices.ts';
import { createSealedCookies } from './sealed-cookies.ts';
import { createSealer } from './sealing.ts';

/** The length of a token that the admin API issues. */
const TOKEN_LENGTH = 320;
const MAX_COOKIE_BYTES = 4_096;

function browser() {
  const jar = new Map<string, string>();
  const cookies = {
    get: (name: string) => jar.get(name),
    set: (name: string, value: string) => void jar.set(name, value),
    delete: (name: string) => void jar.delete(name),
  } as unknown as Parameters<typeof createSealedCookies>[0];
  const sealer = createSealer(parseKeyring(`1:${randomBytes(32).toString('base64')}`));
  return { jar, cookies: createSealedCookies(cookies, sealer, true) };
}

test('a browser is known for each member who signed in, by the email as members type it', async () => {
  const { cookies } = browser();
  expect(await findDeviceToken(cookies, 'ada@example.com')).toBeNull();
  await rememberDevice(cookies, { email: 'ada@example.com', token: 'first' });
  await rememberDevice(cookies, { email: 'bob@example.com', token: 'other' });
  await rememberDevice(cookies, { email: ' Ada@Example.com', token: 'second' });
  expect(await findDeviceToken(cookies, 'ADA@example.com ')).toBe('second');
  expect(await findDeviceToken(cookies, 'bob@example.com')).toBe('other');
});

test('the cookie of the longest emails and tokens is accepted by browsers, and the earliest member is forgotten', async () => {
  const { jar, cookies } = browser();
  const emails = Array.from({ length: 6 }, (_, at) => `${at}`.padEnd(ACCOUNT_LIMITS.email, 'x'));
  for (const email of emails) await rememberDevice(cookies, { email, token: 't'.repeat(TOKEN_LENGTH) });
  const [[name, value]] = [...jar] as [[string, string]];
  expect(name.length + value.length).toBeLessThan(MAX_COOKIE_BYTES);
  expect(await findDeviceToken(cookies, emails[0] as string)).toBeNull();
  expect(await findDeviceToken(cookies, emails[5] as string)).not.toBeNull();
});
