import { countOf } from '#lib/format/number.ts';

interface Factors {
  totp_enabled: boolean;
  passkey_count: number;
}

/** Whether the password alone is not enough to sign in. */
export function hasSecondFactor({ totp_enabled, passkey_count }: Factors): boolean {
  return totp_enabled || passkey_count > 0;
}

/** `2 passkeys and an authenticator app`; `None` without a second factor. */
export function secondFactorText({ totp_enabled, passkey_count }: Factors): string {
  const passkeys = countOf(passkey_count, 'passkey');
  if (!totp_enabled) return passkey_count === 0 ? 'None' : passkeys;
  return passkey_count === 0 ? 'Authenticator app' : `${passkeys} and an authenticator app`;
}
