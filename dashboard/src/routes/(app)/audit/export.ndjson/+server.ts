import { error, redirect } from '@sveltejs/kit';
import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import { readExportPeriod } from '#lib/server/audit/export-period.ts';
import { relayExport } from '#lib/server/relay-export.ts';
import { requireForm } from '#lib/server/require-form.ts';
import type { RequestHandler } from './$types';

/** Exports the audit records of a period, with the data to verify them. */
export const POST: RequestHandler = async ({ locals, request }) => {
  const form = await requireForm(request);
  const read = readExportPeriod(form, locals.timeZone);
  if ('error' in read) error(400, `Audit records cannot be exported for these dates. ${read.error}`);
  return relayExport({ locals, request }, AUDIT_EXPORT_PATH, read.period, 'tollgate-audit.ndjson');
};

/** After a sign-in, the browser returns here with GET, which exports nothing: the form is on this page. */
export const GET: RequestHandler = () => redirect(303, '/audit/verification');
