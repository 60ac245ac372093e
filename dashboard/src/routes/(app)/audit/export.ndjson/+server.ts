import { error, redirect } from '@sveltejs/kit';
import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import { readExportPeriod } from '#lib/server/audit/export-period.ts';
import { relayExport } from '#lib/server/relay-export.ts';
import { requireForm } from '#lib/server/require-form.ts';
import { signInPath } from '#lib/server/sign-in-path.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import type { RequestHandler } from './$types';

/** Exports the audit records of a period, with the data to verify them. */
export const POST: RequestHandler = async ({ locals, url, cookies, request }) => {
  const form = await requireForm(request, locals.requestId);
  if (locals.session === null) redirect(303, signInPath(url));
  const read = readExportPeriod(form, readTimeZone(cookies.get(TIME_ZONE_COOKIE)));
  if ('error' in read) {
    error(400, {
      message: `Audit records cannot be exported for these dates. ${read.error}`,
      requestId: locals.requestId,
    });
  }
  return relayExport(locals.admin, {
    path: AUDIT_EXPORT_PATH,
    query: read.period,
    fileName: 'tollgate-audit.ndjson',
    signal: request.signal,
  });
};

/** After a sign-in, the browser returns here with GET, which exports nothing: the form is on this page. */
export const GET: RequestHandler = () => redirect(303, '/audit/verification');
