import type { PasskeyAssertion } from '@tollgate/contracts/accounts/passkey';
import type { RouteReply, RouteRequest } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { findDeviceToken, rememberDevice } from './known-devices.ts';

type Credentials = Omit<RouteRequest<typeof ADMIN_ROUTES.signIn>, 'device_token'>;
type SignedIn = RouteReply<typeof ADMIN_ROUTES.signIn>;

/** Signs in a member: the browser's cookies then hold the new session, and the device. Throws AdminProblem. */
export async function signIn(locals: App.Locals, credentials: Credentials): Promise<void> {
  const device_token = (await findDeviceToken(locals.sealedCookies, credentials.email)) ?? undefined;
  const signedIn = await locals.admin.call(ADMIN_ROUTES.signIn, { ...credentials, device_token });
  await keepSession(locals.sealedCookies, signedIn, credentials.email);
}

/** Like `signIn`, with a passkey alone: it names the member. */
export async function signInWithPasskey(
  { admin, sealedCookies }: App.Locals,
  given: { passkey: PasskeyAssertion; member_id?: string },
): Promise<void> {
  const devices = (await sealedCookies.read('devices')) ?? [];
  const signedIn = await admin.call(ADMIN_ROUTES.signInWithPasskey, {
    ...given,
    device_tokens: devices.map(({ token }) => token),
  });
  await keepSession(sealedCookies, signedIn, signedIn.member.email);
}

/**
 * Signs in to an account that was just created, even if this browser is known for another account with the same email and
 * password, in another team.
 */
export async function signInToNewAccount(locals: App.Locals, credentials: Credentials): Promise<void> {
  const signedIn = await locals.admin.call(ADMIN_ROUTES.signIn, credentials);
  await keepSession(locals.sealedCookies, signedIn, credentials.email);
}

async function keepSession(
  sealedCookies: App.Locals['sealedCookies'],
  { token, expires_at, device_token }: SignedIn,
  email: string,
): Promise<void> {
  await sealedCookies.write('session', { token }, new Date(expires_at));
  if (device_token !== null) await rememberDevice(sealedCookies, { email, token: device_token });
  sealedCookies.clear('second-factor');
}
