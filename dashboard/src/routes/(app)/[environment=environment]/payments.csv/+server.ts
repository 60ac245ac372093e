import { error, redirect } from '@sveltejs/kit';
import { PAYMENTS_CSV_PATH } from '@tollgate/contracts/admin-api/routes';
import { parseFilters, readTypedFilters } from '#lib/server/payments/payment-filters.ts';
import { signInPath } from '#lib/server/sign-in-path.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import type { RequestHandler } from './$types';

/**
 * Relays the gateway's export of all payments that match the filters in the address. The session stays on this server.
 */
export const GET: RequestHandler = async ({ locals, params: { environment }, url, cookies, request }) => {
  if (locals.session === null) redirect(303, signInPath(url));
  const timeZone = readTimeZone(cookies.get(TIME_ZONE_COOKIE));
  const { request: filters, errors } = parseFilters(readTypedFilters(url.searchParams), timeZone);
  const [wrong] = Object.values(errors);
  if (wrong !== undefined) {
    const message = `Payments cannot be exported with these filters. ${wrong}`;
    error(400, { message, requestId: locals.requestId });
  }

  const query = new URLSearchParams(
    Object.entries({ environment, ...filters }).map(([name, value]) => [name, String(value)]),
  );
  // The signal aborts the export at the gateway when the download is canceled.
  const upstream = await locals.admin.open(PAYMENTS_CSV_PATH, query, request.signal);
  return new Response(upstream.body, {
    headers: {
      'content-type': upstream.headers.get('content-type') ?? 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName(environment)}"`,
    },
  });
};

/** `tollgate-live-payments-2026-11-21.csv` */
function fileName(environment: string): string {
  return `tollgate-${environment}-payments-${new Date().toISOString().slice(0, 10)}.csv`;
}
