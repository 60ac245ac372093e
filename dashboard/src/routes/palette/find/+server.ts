import { error, json } from '@sveltejs/kit';
import { PAYMENT_LIMITS } from '@tollgate/contracts/payments/payment';
import { readEnvironment } from '#lib/server/environment-cookie.ts';
import { findRecords } from '#lib/server/palette/find-records.ts';
import type { RequestHandler } from './$types';

/** What the command palette finds for the text in the body. */
export const POST: RequestHandler = async ({ locals, request }) => {
  if (locals.session === null) error(401, 'Sign in first.');
  const { environment, text } = (await request.json().catch(() => null)) ?? {};
  if (typeof text !== 'string') error(400, 'No text to find.');
  const hits = await findRecords(locals.admin, {
    environment: readEnvironment(environment),
    text: text.trim().slice(0, PAYMENT_LIMITS.reference),
    timeZone: locals.timeZone,
  });
  return json(hits);
};
