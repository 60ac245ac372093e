import { ApplicationEntry, KeyEntry } from '@tollgate/contracts/applications/principal';
import { SCOPE_NAMES } from '@tollgate/contracts/applications/scopes';
import { newId } from '@tollgate/contracts/platform/ids';
import { pepperFingerprint } from '@tollgate/security/api-key';
import { parseKeyring } from '@tollgate/security/keyring';
import Value from 'typebox/value';
import { expect, it } from 'vitest';
import { newApplication } from '../applications/application.ts';
import { newApiKey, revoked } from '../keys/api-key.ts';
import { applicationEntry, isTombstoneDue, keyEntry, TOMBSTONE_MS } from './principal-entry.ts';

const pepper = Buffer.alloc(32, 1);
const peppers = parseKeyring(`1:${pepper.toString('base64')}`);
const now = new Date('2026-01-01T00:00:00Z');
const application = newApplication({ team_id: newId('team'), name: 'Shop', scopes: ['payment:read'] }, now);

function key(expiresAt: Date | null) {
  return newApiKey(
    {
      team_id: application.team_id,
      application_id: application._id,
      environment: 'live',
      name: 'Server',
      scopes: null,
      allowed_cidrs: [],
      expires_at: expiresAt,
      lookup_id: 'A'.repeat(16),
      digest: 'a'.repeat(64),
      pepper_version: '1',
    },
    now,
  );
}

function after(ms: number): Date {
  return new Date(now.getTime() + ms);
}

it('an entry of the bucket follows its contract', () => {
  expect(Value.Check(ApplicationEntry, applicationEntry(application))).toBe(true);
  expect(Value.Check(KeyEntry, keyEntry(key(after(1)), peppers))).toBe(true);
  expect(Value.Check(KeyEntry, keyEntry(revoked(key(null), 'leaked', now), peppers))).toBe(true);
});

it('an entry of the bucket grants a key without scopes of its own all scopes of the application, now and later', () => {
  expect(keyEntry(key(null), peppers).scopes).toEqual(SCOPE_NAMES);
});

it('an entry of the bucket names the pepper of a key by its fingerprint, if this service has it', () => {
  const other = parseKeyring(`2:${pepper.toString('base64')}`);
  expect(keyEntry(key(null), peppers).pepper_fingerprint).toBe(pepperFingerprint(pepper));
  expect(keyEntry(key(null), other).pepper_fingerprint).toBeNull();
});

it('an entry of the bucket states that a revoked key is revoked', () => {
  expect(keyEntry(revoked(key(null), null, now), peppers)).toMatchObject({ status: 'revoked', version: 2 });
});

it('the entry of a revoked or expired key is never removed while the key is active', () => {
  expect(isTombstoneDue(key(null), after(1000 * TOMBSTONE_MS))).toBe(false);
  expect(isTombstoneDue(key(after(2)), after(1))).toBe(false);
});

it('the entry of a revoked or expired key stays for 30 days after a revocation', () => {
  const ended = revoked(key(null), null, now);
  expect(isTombstoneDue(ended, after(TOMBSTONE_MS - 1))).toBe(false);
  expect(isTombstoneDue(ended, after(TOMBSTONE_MS))).toBe(true);
});

it('the entry of a revoked or expired key stays until the expiry of a revoked key, when that is later', () => {
  const ended = revoked(key(after(2 * TOMBSTONE_MS)), null, now);
  expect(isTombstoneDue(ended, after(2 * TOMBSTONE_MS - 1))).toBe(false);
  expect(isTombstoneDue(ended, after(2 * TOMBSTONE_MS))).toBe(true);
});

it('the entry of a revoked or expired key stays for 30 days after an expiry', () => {
  expect(isTombstoneDue(key(after(1)), after(TOMBSTONE_MS))).toBe(false);
  expect(isTombstoneDue(key(after(1)), after(TOMBSTONE_MS + 1))).toBe(true);
});
