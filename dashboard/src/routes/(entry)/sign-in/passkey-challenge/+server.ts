import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { challengeResponse } from '#lib/server/passkeys/challenge-response.ts';
import type { RequestHandler } from './$types';

/** The options with which the sign-in page asks the browser for a passkey. */
export const POST: RequestHandler = (event) =>
  challengeResponse(event, () => event.locals.admin.call(ADMIN_ROUTES.createPasskeyChallenge, {}));
