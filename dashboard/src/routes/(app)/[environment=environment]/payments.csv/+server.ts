import { error, redirect } from '@sveltejs/kit';
import { PAYMENTS_CSV_PATH } from '@tollgate/contracts/admin-api/routes';
import { readFilters } from '#lib/server/list/read-filters.ts';
import { PAYMENT_FILTERS } from '#lib/server/payments/payment-filters.ts';
import { periodText } from '#lib/server/payments/payment-period.ts';
import { idsFilter } from '#lib/server/payments/read-selection.ts';
import { csvFileName, relayExport } from '#lib/server/relay-export.ts';
import { requireForm } from '#lib/server/require-form.ts';
import { signInPath } from '#lib/server/sign-in-path.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import type { RequestHandler } from './$types';

/** Exports the payments that the form selects, or else all that meet the filters in the address. */
export const POST: RequestHandler = async ({ locals, params: { environment }, url, cookies, request }) => {
  const form = await requireForm(request, locals.requestId);
  if (locals.session === null) redirect(303, signInPath(url));
  const timeZone = readTimeZone(cookies.get(TIME_ZONE_COOKIE));
  const { request: filters, errors, values } = readFilters(PAYMENT_FILTERS, url.searchParams, timeZone);
  const [wrong] = Object.values(errors);
  if (wrong !== undefined) {
    const message = `Payments cannot be exported with these filters. ${wrong}`;
    error(400, { message, requestId: locals.requestId });
  }
  const ids = idsFilter(form.getAll('payment'));
  // Otherwise a selection without a valid id would export everything.
  if (form.has('payment') && ids === null)
    error(400, { message: 'Select payments to export.', requestId: locals.requestId });
  return relayExport(locals.admin, {
    path: PAYMENTS_CSV_PATH,
    query: { environment, time_zone: timeZone, ...(ids === null ? filters : { ids }) },
    fileName: csvFileName(
      environment,
      'payments',
      ids === null ? periodText(values, Date.now(), timeZone) : '',
    ),
    signal: request.signal,
  });
};

/** After a sign-in, the browser returns here with GET, which exports nothing: the button is on the page. */
export const GET: RequestHandler = ({ params: { environment }, url }) =>
  redirect(303, `/${environment}/payments${url.search}`);
