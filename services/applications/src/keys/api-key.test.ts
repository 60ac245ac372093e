import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import { expect, it } from 'vitest';
import { type ApiKey, newApiKey, revoked, rotated, statusOf } from './api-key.ts';

const now = new Date('2026-01-01T00:00:00Z');
const credential = { lookup_id: 'A'.repeat(16), digest: 'a'.repeat(64), pepper_version: '1' };
const nextCredential = { lookup_id: 'B'.repeat(16), digest: 'b'.repeat(64), pepper_version: '2' };

function keyThatExpires(expiresAt: Date | null): ApiKey {
  return newApiKey(
    {
      ...credential,
      team_id: newId('team'),
      application_id: newId('application'),
      environment: 'live',
      name: 'Server',
      scopes: ['payment:read'],
      allowed_cidrs: ['10.0.0.0/8'],
      expires_at: expiresAt,
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
  expect(key).toMatchObject({ version: 2, revocation_reason: 'leaked', revoked_at: now });
  expect(revoked(key, 'other', hoursLater(1))).toBe(key);
});

it('a rotation gives the successor all properties of the old key except the credential', () => {
  const key = keyThatExpires(hoursLater(48));
  const { successor, ...old } = rotated(key, nextCredential, HOUR_MS, now);
  expect(successor).toMatchObject({
    ...nextCredential,
    team_id: key.team_id,
    application_id: key.application_id,
    environment: 'live',
    name: 'Server',
    scopes: ['payment:read'],
    allowed_cidrs: ['10.0.0.0/8'],
    expires_at: hoursLater(48),
    rotated_from: key._id,
    rotated_to: null,
    version: 1,
  });
  expect(successor._id).not.toBe(key._id);
  expect(old).toMatchObject({ ...credential, _id: key._id, rotated_to: successor._id, version: 2 });
});

it('a rotation keeps the old key active for the overlap', () => {
  expect(rotated(keyThatExpires(null), nextCredential, HOUR_MS, now).expires_at).toEqual(hoursLater(1));
});

it('a rotation never extends the lifetime of the old key', () => {
  const old = rotated(keyThatExpires(hoursLater(1)), nextCredential, 2 * HOUR_MS, now);
  expect(old.expires_at).toEqual(hoursLater(1));
});

it('a rotation ends the old key immediately without an overlap', () => {
  expect(statusOf(rotated(keyThatExpires(null), nextCredential, 0, now), now)).toBe('expired');
});

it.each([
  ['revoked', revoked(keyThatExpires(null), null, now)],
  ['expired', keyThatExpires(now)],
  ['rotated', rotated(keyThatExpires(null), nextCredential, HOUR_MS, now)],
])('a rotation is not possible for a key that is %s', (_status, key) => {
  expect(() => rotated(key, nextCredential, HOUR_MS, now)).toThrow();
});
