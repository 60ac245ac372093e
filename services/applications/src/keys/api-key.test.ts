import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import { expect, it } from 'vitest';
import { type ApiKey, newApiKey, revoked, rotated, statusOf } from './api-key.ts';

const now = new Date('2026-01-01T00:00:00Z');
const credential = { lookupId: 'A'.repeat(16), digest: 'a'.repeat(64), pepperVersion: '1' };
const nextCredential = { lookupId: 'B'.repeat(16), digest: 'b'.repeat(64), pepperVersion: '2' };

function keyThatExpires(expiresAt: Date | null): ApiKey {
  return newApiKey(
    {
      ...credential,
      teamId: newId('team'),
      applicationId: newId('application'),
      environment: 'live',
      name: 'Server',
      scopes: ['payment:read'],
      allowedCidrs: ['10.0.0.0/8'],
      expiresAt,
    },
    now,
  );
}

function hoursLater(hours: number): Date {
  return new Date(now.getTime() + hours * HOUR_MS);
}

it('an API key is active until the exact time of its expiry', () => {
  const key = keyThatExpires(hoursLater(1));
  expect(statusOf(key, new Date(hoursLater(1).getTime() - 1))).toBe('active');
  expect(statusOf(key, hoursLater(1))).toBe('expired');
});

it('an API key is revoked permanently, with or without an expiry, and keeps the first reason', () => {
  const key = revoked(keyThatExpires(hoursLater(1)), 'leaked', now);
  expect(statusOf(key, hoursLater(2))).toBe('revoked');
  expect(key).toMatchObject({ version: 2, revocationReason: 'leaked', revokedAt: now });
  expect(revoked(key, 'other', hoursLater(1))).toBe(key);
});

it('a rotation gives the successor all properties of the old key except the credential', () => {
  const key = keyThatExpires(hoursLater(48));
  const { old, successor } = rotated(key, nextCredential, HOUR_MS, now);
  expect(successor).toMatchObject({
    ...nextCredential,
    teamId: key.teamId,
    applicationId: key.applicationId,
    environment: 'live',
    name: 'Server',
    scopes: ['payment:read'],
    allowedCidrs: ['10.0.0.0/8'],
    expiresAt: hoursLater(48),
    rotatedFrom: key.id,
    rotatedTo: null,
    version: 1,
  });
  expect(successor.id).not.toBe(key.id);
  expect(old).toMatchObject({ ...credential, id: key.id, rotatedTo: successor.id, version: 2 });
});

it('a rotation keeps the old key active for the overlap', () => {
  expect(rotated(keyThatExpires(null), nextCredential, HOUR_MS, now).old.expiresAt).toEqual(hoursLater(1));
});

it('a rotation never extends the lifetime of the old key', () => {
  const { old } = rotated(keyThatExpires(hoursLater(1)), nextCredential, 2 * HOUR_MS, now);
  expect(old.expiresAt).toEqual(hoursLater(1));
});

it('a rotation ends the old key immediately without an overlap', () => {
  expect(statusOf(rotated(keyThatExpires(null), nextCredential, 0, now).old, now)).toBe('expired');
});

it.each([
  ['revoked', revoked(keyThatExpires(null), null, now)],
  ['expired', keyThatExpires(now)],
  ['rotated', rotated(keyThatExpires(null), nextCredential, HOUR_MS, now).old],
])('a rotation is not possible for a key that is %s', (_status, key) => {
  expect(() => rotated(key, nextCredential, HOUR_MS, now)).toThrow();
});
