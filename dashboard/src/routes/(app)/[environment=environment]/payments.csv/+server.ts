import { error, redirect } from '@sveltejs/kit';
import { PAYMENTS_CSV_PATH } from '@tollgate/contracts/admin-api/routes';
import { readFilters } from '#lib/server/list/read-filters.ts';
import { PAYMENT_FILTERS } from '#lib/server/payments/payment-filters.ts';
import { periodText } from '#lib/server/payments/payment-period.ts';
import { idsFilter } from '#lib/server/payments/read-selection.ts';
import { csvFileName, relayExport } from '#lib/server/relay-export.ts';
import { requireForm } from '#lib/server/require-form.ts';
import type { RequestHandler } from './$types';

/** Exports the payments that the form selects, or else all that meet the filters in the address. */
export const POST: RequestHandler = async ({ locals, params: { environment }, url, request }) => {
  const form = await requireForm(request);
  const { timeZone } = locals;
  const { request: filters, errors, values } = readFilters(PAYMENT_FILTERS, url.searchParams, timeZone);
  const [wrong] = Object.values(errors);
  if (wrong !== undefined) error(400, `Payments cannot be exported with these filters. ${wrong}`);
  const ids = idsFilter(form.getAll('payment'));
  // Otherwise a selection without a valid id would export everything.
  if (form.has('payment') && ids === null) error(400, 'Select payments to export.');
  const query = { environment, time_zone: timeZone, ...(ids === null ? filters : { ids }) };
  const period = ids === null ? periodText(values, Date.now(), timeZone) : '';
  const fileName = csvFileName(environment, 'payments', period);
  return relayExport({ locals, request }, PAYMENTS_CSV_PATH, query, fileName);
};

/** After a sign-in, the browser returns here with GET, which exports nothing: the button is on the page. */
export const GET: RequestHandler = ({ params: { environment }, url }) =>
  redirect(303, `/${environment}/payments${url.search}`);
