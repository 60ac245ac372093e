import {
  DEVICE_AUTHORIZATION,
  type StartedDeviceAuthorization,
} from '@tollgate/contracts/accounts/device-authorization';
import type { createDeviceAuthorization as contract } from '@tollgate/contracts/accounts/rpc';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import { newOpaqueToken } from '../opaque-token.ts';
import { newDeviceAuthorization } from './device-authorization.ts';
import { newUserCode, shownUserCode } from './user-code.ts';

/** With a million pending logins, one attempt collides once in 25,000 times. */
const MAX_ATTEMPTS = 5;

/** Starts a login of a program (RFC 8628 §3.2). The device code is returned once; only its digest is stored. */
export async function createDeviceAuthorization(
  context: Context,
  { client_name, address }: Static<typeof contract.request>,
): Promise<StartedDeviceAuthorization> {
  const name = parseName(client_name, '/client_name');
  const now = new Date(context.clock.now());
  const { token: device_code, digest } = newOpaqueToken();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const fields = { _id: digest, user_code: newUserCode(), client_name: name, address };
    const login = newDeviceAuthorization(fields, now);
    if (!(await context.deviceAuthorizations.insert(login))) continue;
    const user_code = shownUserCode(login.user_code);
    return {
      device_code,
      user_code,
      expires_in: DEVICE_AUTHORIZATION.lifetimeS,
      interval: login.interval_s,
    };
  }
  throw new Problem('unavailable', 'No unused code was found. Try again.', { retryAfterS: 1 });
}
