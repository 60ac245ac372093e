import { DEVICE_AUTHORIZATION } from '@tollgate/contracts/accounts/device-authorization';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import { newOpaqueToken } from '../opaque-token.ts';
import { newDeviceAuthorization } from './device-authorization.ts';
import { newUserCode, shownUserCode } from './user-code.ts';

/** With a million pending logins, one attempt collides once in 25,000 times. */
const MAX_ATTEMPTS = 5;

/** Starts a login of a program (RFC 8628 §3.2). The device code is returned once; only its digest is stored. */
export async function createDeviceAuthorization(
  context: Context,
  { clientName, address }: { clientName: string; address: string | null },
): Promise<{ deviceCode: string; userCode: string; expiresInS: number; intervalS: number }> {
  const name = parseName(clientName, '/client_name');
  const now = new Date(context.clock.now());
  const { token: deviceCode, digest } = newOpaqueToken();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const fields = { deviceCodeDigest: digest, userCode: newUserCode(), clientName: name, address };
    const authorization = newDeviceAuthorization(fields, now);
    if (!(await context.deviceAuthorizations.insert(authorization))) continue;
    const { userCode, intervalS } = authorization;
    const expiresInS = DEVICE_AUTHORIZATION.lifetimeS;
    return { deviceCode, userCode: shownUserCode(userCode), expiresInS, intervalS };
  }
  throw new Problem('unavailable', 'No unused code was found. Try again.', { retryAfterS: 1 });
}
