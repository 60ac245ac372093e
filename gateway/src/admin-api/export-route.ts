import type { RpcContract } from '@tollgate/contracts/platform/rpc-contract';
import type { Clock } from '@tollgate/runtime/clock';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireAccepted } from '../request/content-rules.ts';
import type { CallService } from '../rpc/call-service.ts';
import type { Admission } from './admission.ts';
import type { ExportFiles } from './export-files.ts';
import { mapFieldErrors, toParameter } from './field-place.ts';
import type { OpenSession } from './session.ts';

/** A route that exports many pages of an RPC as one file. */
export interface ExportRoute<Query> {
  path: string;
  operation: string;
  /** RPCs that reading the file makes. */
  calls: readonly RpcContract[];
  mediaType: string;
  readQuery: (target: string) => Query;
  /** Reads the file. What is thrown before the first chunk becomes the response. */
  readChunks: (request: FastifyRequest, query: Query) => AsyncIterator<string, void, void>;
  /** @param date of today (UTC) */
  fileName: (query: Query, date: string) => string;
}

export interface ExportDeps {
  callService: CallService;
  admission: Admission;
  openSession: OpenSession;
  exportFiles: ExportFiles;
  clock: Clock;
}

export function registerExport<Query>(
  app: FastifyInstance,
  { path, operation, calls, mediaType, readQuery, readChunks, fileName }: ExportRoute<Query>,
  { admission, exportFiles, clock }: ExportDeps,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: path,
    config: { operation, calls },
    async onRequest(request, reply) {
      request.session = await admission.admit(request, reply);
      requireAccepted(request.raw, mediaType);
    },
    async handler(request, reply) {
      const query = readQuery(request.raw.url ?? '');
      const file =
        request.method === 'HEAD'
          ? undefined
          : await exportFiles.open(request, readChunks(request, query)).catch((error: unknown) => {
              throw mapFieldErrors(error, toParameter);
            });
      const date = new Date(clock.now()).toISOString().slice(0, 10);
      return reply
        .headers({
          'content-type': mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
          'content-disposition': `attachment; filename="${fileName(query, date)}"`,
        })
        .send(file);
    },
  });
}
