import { error, json } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { readSince } from '#lib/server/webhooks/since-form.ts';
import type { RequestHandler } from './$types';

/** What a recovery and a replay since a time would send, for their dialogs. */
export const GET: RequestHandler = async ({ locals, params: { endpoint_id }, url }) => {
  if (locals.session === null) error(401, 'Sign in first.');
  const since = readSince(url.searchParams.get('since') ?? '', locals.timeZone);
  if (since === null) error(400, 'Enter a date and time.');
  return json(await locals.admin.call(ADMIN_ROUTES.countRecovery, { endpoint_id, since }));
};
