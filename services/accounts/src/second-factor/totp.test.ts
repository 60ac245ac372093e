import { expect, it } from 'vitest';
import { encodeBase32 } from './base32.ts';
import { acceptedTotpStep, newTotpSecret, totpCode, totpStep, totpUri } from './totp.ts';

/** RFC 6238 appendix B, SHA-1: the time in seconds and the 8-digit code, whose last 6 digits are the 6-digit code. */
const VECTORS = [
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
] as const;
const RFC_SECRET = Buffer.from('12345678901234567890');

const nowMs = 1_700_000_010_000;
const now = totpStep(nowMs);

it.each(VECTORS)('a TOTP code matches RFC 6238 at %i s', (seconds, code) => {
  expect(totpCode(RFC_SECRET, totpStep(seconds * 1000))).toBe(code.slice(2));
});

it.each([-1, 0, 1])('a TOTP code is accepted %i steps off', (offset) => {
  const secret = newTotpSecret();
  const code = totpCode(secret, now + offset);
  expect(acceptedTotpStep(secret, code, { nowMs, lastStep: 0 })).toBe(now + offset);
});

it.each([-2, 2])('a TOTP code is rejected %i steps off', (offset) => {
  // This secret's codes of the five steps are all different.
  const code = totpCode(RFC_SECRET, now + offset);
  expect(acceptedTotpStep(RFC_SECRET, code, { nowMs, lastStep: 0 })).toBeNull();
});

it('a TOTP code is rejected once it or a later one was used', () => {
  const code = totpCode(RFC_SECRET, now);
  expect(acceptedTotpStep(RFC_SECRET, code, { nowMs, lastStep: now })).toBeNull();
  expect(acceptedTotpStep(RFC_SECRET, code, { nowMs, lastStep: now + 1 })).toBeNull();
  expect(acceptedTotpStep(RFC_SECRET, code, { nowMs, lastStep: now - 1 })).toBe(now);
});

it.each(['', '12345', '1234567', 'abcdef', '１２３４５６'])('a TOTP code is not %j', (text) => {
  expect(acceptedTotpStep(RFC_SECRET, text, { nowMs, lastStep: 0 })).toBeNull();
});

it('a TOTP code may have a space in the middle, as apps show it', () => {
  const code = totpCode(RFC_SECRET, now);
  const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
  expect(acceptedTotpStep(RFC_SECRET, spaced, { nowMs, lastStep: 0 })).toBe(now);
});

it('the TOTP secret is encoded in base32 as RFC 4648 §10 specifies', () => {
  expect(encodeBase32(Buffer.from('fooba'))).toBe('MZXW6YTB');
  expect(encodeBase32(newTotpSecret())).toMatch(/^[A-Z2-7]{32}$/);
});

it('the TOTP secret is part of the URI for authenticator apps, with issuer and email', () => {
  const uri = new URL(totpUri(RFC_SECRET, 'ada+tollgate@example.com'));
  expect(uri.protocol).toBe('otpauth:');
  expect(decodeURIComponent(uri.pathname)).toContain('Tollgate:ada+tollgate@example.com');
  expect(uri.searchParams.get('secret')).toBe(encodeBase32(RFC_SECRET));
  expect(uri.searchParams.get('issuer')).toBe('Tollgate');
});
