import { error, redirect } from '@sveltejs/kit';
import { USAGE_CSV_PATH } from '@tollgate/contracts/admin-api/routes';
import { readTyped } from '#lib/server/filters/typed-filters.ts';
import { csvFileName, relayExport } from '#lib/server/relay-export.ts';
import { signInPath } from '#lib/server/sign-in-path.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import { GROUP_BY } from '#lib/server/usage/read-usage.ts';
import { breakdownOf, parseUsageFilters, USAGE_FILTER_NAMES } from '#lib/server/usage/usage-filters.ts';
import { requestOf } from '#lib/server/usage/usage-range.ts';
import type { RequestHandler } from './$types';

/** Exports the usage that matches the filters in the address: one line per minute, hour or day and row of the table. */
export const GET: RequestHandler = async ({ locals, params: { environment }, url, cookies, request }) => {
  if (locals.session === null) redirect(303, signInPath(url));
  const timeZone = readTimeZone(cookies.get(TIME_ZONE_COOKIE));
  const typed = readTyped(USAGE_FILTER_NAMES, url.searchParams);
  const { counted, range, errors } = parseUsageFilters(typed, { timeZone, nowMs: Date.now() });
  if (range === null) {
    const [wrong] = Object.values(errors);
    const message = `Usage cannot be exported with these filters. ${wrong}`;
    error(400, { message, requestId: locals.requestId });
  }
  return relayExport(locals.admin, {
    path: USAGE_CSV_PATH,
    query: { environment, ...counted, ...requestOf(range), group_by: GROUP_BY[breakdownOf(typed)] },
    fileName: csvFileName(environment, 'usage'),
    signal: request.signal,
  });
};
