import { error, redirect } from '@sveltejs/kit';
import { USAGE_CSV_PATH } from '@tollgate/contracts/admin-api/routes';
import { csvFileName, relayExport } from '#lib/server/relay-export.ts';
import { requireForm } from '#lib/server/require-form.ts';
import { GROUP_BY } from '#lib/server/usage/read-usage.ts';
import { breakdownOf, readUsageFilters } from '#lib/server/usage/usage-filters.ts';
import { requestOf } from '#lib/server/usage/usage-range.ts';
import type { RequestHandler } from './$types';

/** Exports the usage that matches the filters in the address, for a form of that page: one line per minute, hour or day and row of the table. */
export const POST: RequestHandler = async ({ locals, params: { environment }, url, request }) => {
  await requireForm(request);
  const { timeZone } = locals;
  const read = readUsageFilters(url.searchParams, { timeZone, nowMs: Date.now() });
  const { range, errors } = read;
  if (range === null) error(400, `Usage cannot be exported with these filters. ${Object.values(errors)[0]}`);
  const group_by = GROUP_BY[breakdownOf(read.values)];
  const query = { environment, ...read.request, ...requestOf(range), group_by };
  return relayExport({ locals, request }, USAGE_CSV_PATH, query, csvFileName(environment, 'usage'));
};

/** After a sign-in, the browser returns here with GET, which exports nothing: the button is on the page. */
export const GET: RequestHandler = ({ params: { environment }, url }) =>
  redirect(303, `/${environment}/usage${url.search}`);
