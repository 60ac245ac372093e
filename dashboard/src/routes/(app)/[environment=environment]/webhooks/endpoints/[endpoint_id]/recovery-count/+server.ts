import { error, json } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import { readSince } from '#lib/server/webhooks/since-form.ts';
import type { RequestHandler } from './$types';

/** What a recovery and a replay since a time would send, for their dialogs. */
export const GET: RequestHandler = async ({ locals, params: { endpoint_id }, url, cookies }) => {
  if (locals.session === null) error(401, { message: 'Sign in first.', requestId: locals.requestId });
  const since = readSince(url.searchParams.get('since') ?? '', readTimeZone(cookies.get(TIME_ZONE_COOKIE)));
  if (since === null) error(400, { message: 'Enter a date and time.', requestId: locals.requestId });
  return json(await locals.admin.call(ADMIN_ROUTES.countRecovery, { endpoint_id, since }));
};
