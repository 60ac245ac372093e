import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';

/** Signs in a member: the browser's cookie then holds the new session. Throws AdminProblem. */
export async function signIn(
  locals: App.Locals,
  credentials: RouteRequest<typeof ADMIN_ROUTES.signIn>,
): Promise<void> {
  const { token, expires_at } = await locals.admin.call(ADMIN_ROUTES.signIn, credentials);
  await locals.sealedCookies.write('session', { token }, new Date(expires_at));
  locals.sealedCookies.clear('second-factor');
}
