import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { findDeviceToken, rememberDevice } from './known-devices.ts';

/** Signs in a member: the browser's cookies then hold the new session, and the device. Throws AdminProblem. */
export async function signIn(
  { admin, sealedCookies }: App.Locals,
  credentials: Omit<RouteRequest<typeof ADMIN_ROUTES.signIn>, 'device_token'>,
): Promise<void> {
  const known = await findDeviceToken(sealedCookies, credentials.email);
  const request = { ...credentials, ...(known !== null && { device_token: known }) };
  const { token, expires_at, device_token } = await admin.call(ADMIN_ROUTES.signIn, request);
  await sealedCookies.write('session', { token }, new Date(expires_at));
  if (device_token !== null) {
    await rememberDevice(sealedCookies, { email: credentials.email, token: device_token });
  }
  sealedCookies.clear('second-factor');
}
