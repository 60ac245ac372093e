import type { RouteReply, RouteRequest } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PasskeyAssertion } from '@tollgate/contracts/passkey';
import { findDeviceToken, rememberDevice } from './known-devices.ts';

type Credentials = Omit<RouteRequest<typeof ADMIN_ROUTES.signIn>, 'device_token'>;
type SignedIn = RouteReply<typeof ADMIN_ROUTES.signIn>;

/**
 * Signs in a member: the browser's cookies then hold the new session, and the device. Returns false, and changes nothing, when the
 * credentials are those of another account than `memberId`. Throws AdminProblem.
 */
export async function signIn(
  locals: App.Locals,
  credentials: Credentials,
  memberId?: string | undefined,
): Promise<boolean> {
  const known = await findDeviceToken(locals.sealedCookies, credentials.email);
  return startSession(locals, credentials, { known, memberId });
}

/** Like `signIn`, with a passkey alone: it names the member. */
export async function signInWithPasskey(
  { admin, sealedCookies }: App.Locals,
  passkey: PasskeyAssertion,
  memberId?: string | undefined,
): Promise<boolean> {
  const devices = (await sealedCookies.read('devices')) ?? [];
  const signedIn = await admin.call(ADMIN_ROUTES.signInWithPasskey, {
    passkey,
    device_tokens: devices.map(({ token }) => token),
  });
  return keepSession(sealedCookies, signedIn, signedIn.member.email, memberId);
}

/**
 * Signs in to an account that was just created, even if this browser is known for another account with the same email and
 * password, in another team.
 */
export async function signInToNewAccount(locals: App.Locals, credentials: Credentials): Promise<void> {
  await startSession(locals, credentials, { known: null });
}

async function startSession(
  { admin, sealedCookies }: App.Locals,
  credentials: Credentials,
  { known, memberId }: { known: string | null; memberId?: string | undefined },
): Promise<boolean> {
  const request = { ...credentials, ...(known !== null && { device_token: known }) };
  const signedIn = await admin.call(ADMIN_ROUTES.signIn, request);
  return keepSession(sealedCookies, signedIn, credentials.email, memberId);
}

async function keepSession(
  sealedCookies: App.Locals['sealedCookies'],
  { token, expires_at, device_token, member }: SignedIn,
  email: string,
  memberId: string | undefined,
): Promise<boolean> {
  if (memberId !== undefined && member.id !== memberId) return false;
  await sealedCookies.write('session', { token }, new Date(expires_at));
  if (device_token !== null) await rememberDevice(sealedCookies, { email, token: device_token });
  sealedCookies.clear('second-factor');
  return true;
}
