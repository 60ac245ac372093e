import { error, json } from '@sveltejs/kit';
import { PAYMENT_LIMITS } from '@tollgate/contracts/payments/payment';
import { findRecords } from '#lib/server/palette/find-records.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import type { RequestHandler } from './$types';

/** What the command palette finds for the text in the body. */
export const POST: RequestHandler = async ({ locals, request, cookies }) => {
  if (locals.session === null) error(401, { message: 'Sign in first.', requestId: locals.requestId });
  const { environment, text } = (await request.json().catch(() => null)) ?? {};
  if (typeof text !== 'string') error(400, { message: 'No text to find.', requestId: locals.requestId });
  const hits = await findRecords(locals.admin, {
    environment: environment === 'live' ? 'live' : 'sandbox',
    text: text.trim().slice(0, PAYMENT_LIMITS.reference),
    timeZone: readTimeZone(cookies.get(TIME_ZONE_COOKIE)),
  });
  return json(hits);
};
