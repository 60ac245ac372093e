import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import { exportRecords } from '@tollgate/contracts/audit/rpc';
import { Time } from '@tollgate/contracts/platform/schema';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ExportDeps, registerExport } from './export-route.ts';
import { pagesInSession } from './pages-in-session.ts';
import { createReadQuery } from './query-parameters.ts';
import { callOptions } from './session.ts';

/** Query of an export: the records of this period, together with their proofs. */
export const AUDIT_EXPORT_QUERY = { from: Time, to: Time };

/**
 * Exports audit records as NDJSON, page by page. The audit service records the export before it returns the first page.
 */
export function registerAuditExport(app: FastifyInstance, deps: ExportDeps): void {
  async function* readChunks(
    request: FastifyRequest,
    period: { from: string; to: string },
  ): AsyncGenerator<string, void, void> {
    const readPart = (position: { cursor?: string }) =>
      deps.callService(exportRecords, { ...period, ...position }, callOptions(request));
    for await (const { lines } of pagesInSession(request, readPart, deps)) yield lines;
  }

  registerExport(
    app,
    {
      path: AUDIT_EXPORT_PATH,
      operation: 'audit.export',
      calls: [exportRecords],
      mediaType: 'application/x-ndjson',
      readQuery: createReadQuery(AUDIT_EXPORT_QUERY),
      readChunks,
      fileName: (_period, date) => `audit-records-${date}.ndjson`,
    },
    deps,
  );
}
