import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import { exportRecords } from '@tollgate/contracts/rpc/audit';
import { Time } from '@tollgate/contracts/time';
import type { Clock } from '@tollgate/runtime/clock';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireAccepted } from '../request/content-rules.ts';
import type { CallService } from './call-service.ts';
import type { ExportFiles } from './export-files.ts';
import { pagesInSession } from './pages-in-session.ts';
import { createReadQuery } from './query-parameters.ts';
import { callOptions, type OpenSession } from './session.ts';

/** Query of an export: the records of this period, together with their proofs. */
export const AUDIT_EXPORT_QUERY = { from: Time, to: Time };

export interface AuditExportDeps {
  callService: CallService;
  openSession: OpenSession;
  exportFiles: ExportFiles;
  clock: Clock;
}

/**
 * Exports audit records as NDJSON, page by page. The audit service records the export before it returns the first page.
 * The session is checked again before a page that is read much later.
 */
export function registerAuditExport(app: FastifyInstance, deps: AuditExportDeps): void {
  const { callService, openSession, exportFiles, clock } = deps;
  const readQuery = createReadQuery(AUDIT_EXPORT_QUERY);

  async function* parts(
    request: FastifyRequest,
    period: { from: string; to: string },
  ): AsyncGenerator<string, void, void> {
    const readPart = (position: { cursor?: string }) =>
      callService(exportRecords, { ...period, ...position }, callOptions(request));
    for await (const { lines } of pagesInSession(request, readPart, deps)) yield lines;
  }

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const period = readQuery(request.raw.url ?? '');
    const file =
      request.method === 'HEAD' ? undefined : await exportFiles.open(request, parts(request, period));
    const date = new Date(clock.now()).toISOString().slice(0, 10);
    return reply
      .headers({
        'content-type': 'application/x-ndjson',
        'content-disposition': `attachment; filename="audit-records-${date}.ndjson"`,
      })
      .send(file);
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: AUDIT_EXPORT_PATH,
    config: { operation: 'audit.export' },
    async onRequest(request) {
      request.session = await openSession(request);
      requireAccepted(request.raw, 'application/x-ndjson');
    },
    handler: send,
  });
}
