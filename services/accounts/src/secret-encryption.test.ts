import { parseKeyring } from '@tollgate/security/keyring';
import { expect, it } from 'vitest';
import { createSecretEncryption } from './secret-encryption.ts';

const key = (byte: number, length = 32) => Buffer.alloc(length, byte).toString('base64');
const secret = Buffer.from('12345678901234567890');
const encryption = createSecretEncryption(parseKeyring(`1:${key(1)}`), 'tests');

it('an encrypted secret is decrypted only for the same record', () => {
  const text = encryption.encrypt(secret, 'mem_a');
  expect(encryption.decrypt(text, 'mem_a')).toEqual(secret);
  expect(() => encryption.decrypt(text, 'mem_b')).toThrow();
});

it('an encrypted secret is decrypted only for the same purpose', () => {
  const other = createSecretEncryption(parseKeyring(`1:${key(1)}`), 'another purpose');
  expect(() => other.decrypt(encryption.encrypt(secret, 'mem_a'), 'mem_a')).toThrow();
});

it('an encrypted secret reveals nothing of the secret, and differs each time', () => {
  const [one, other] = [encryption.encrypt(secret, 'mem_a'), encryption.encrypt(secret, 'mem_a')];
  expect(one).not.toBe(other);
  expect(Buffer.from(one.slice(2), 'base64url').includes(secret)).toBe(false);
});

it('an encrypted secret is rejected once a single byte of it has changed', () => {
  const [version, encoded = ''] = encryption.encrypt(secret, 'mem_a').split('.');
  const bytes = Buffer.from(encoded, 'base64url');
  for (let index = 0; index < bytes.length; index++) {
    const altered = Buffer.from(bytes);
    altered[index] = (altered[index] as number) ^ 1;
    expect(() => encryption.decrypt(`${version}.${altered.toString('base64url')}`, 'mem_a')).toThrow();
  }
});

it('an encrypted secret is decrypted after a key change while the keyring still contains the old key', () => {
  const old = encryption.encrypt(secret, 'mem_a');
  const rotated = createSecretEncryption(parseKeyring(`2:${key(2, 48)},1:${key(1)}`), 'tests');
  expect(rotated.decrypt(old, 'mem_a')).toEqual(secret);
  const fresh = rotated.encrypt(secret, 'mem_a');
  expect(fresh.startsWith('2.')).toBe(true);
  expect(rotated.decrypt(fresh, 'mem_a')).toEqual(secret);
  expect(() => encryption.decrypt(fresh, 'mem_a')).toThrow(
    'key version 2, which ACCOUNTS_ENCRYPTION_KEYS does not contain',
  );
});
