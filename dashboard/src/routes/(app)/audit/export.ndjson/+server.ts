import { error, redirect } from '@sveltejs/kit';
import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import { readExportPeriod } from '#lib/server/audit/export-period.ts';
import { signInPath } from '#lib/server/sign-in-path.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import type { RequestHandler } from './$types';

/**
 * Relays the gateway's export of the records of a period, with the data to verify them. The session stays on this
 * server.
 */
export const GET: RequestHandler = async ({ locals, url, cookies, request }) => {
  if (locals.session === null) redirect(303, signInPath(url));
  const read = readExportPeriod(url.searchParams, readTimeZone(cookies.get(TIME_ZONE_COOKIE)));
  if ('error' in read) {
    error(400, {
      message: `Audit records cannot be exported for these dates. ${read.error}`,
      requestId: locals.requestId,
    });
  }
  // The signal aborts the export at the gateway when the download is canceled.
  const upstream = await locals.admin.open(
    AUDIT_EXPORT_PATH,
    new URLSearchParams(read.period),
    request.signal,
  );
  return new Response(upstream.body, {
    headers: {
      'content-type': upstream.headers.get('content-type') ?? 'application/x-ndjson',
      'content-disposition': 'attachment; filename="tollgate-audit.ndjson"',
    },
  });
};
