import { describe, expect, it } from 'vitest';
import { secondFactorText } from './second-factor.ts';

describe('the second factors of a member', () => {
  it.each([
    [{ totp_enabled: false, passkey_count: 0 }, 'None'],
    [{ totp_enabled: true, passkey_count: 0 }, 'Authenticator app'],
    [{ totp_enabled: false, passkey_count: 1 }, '1 passkey'],
    [{ totp_enabled: true, passkey_count: 2 }, '2 passkeys and an authenticator app'],
  ])('%j reads %j', (factors, text) => {
    expect(secondFactorText(factors)).toBe(text);
  });
});
