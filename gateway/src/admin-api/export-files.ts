import { Readable } from 'node:stream';
import type { Logger } from '@tollgate/runtime/logger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createOpenSlots } from './open-slots.ts';
import { actorIdOf } from './session.ts';

/** Closes an export whose client reads nothing: it would hold a slot, and a session that is no longer checked. */
const READER_PATIENCE_MS = 30_000;
/** All kinds of exports together. */
export const MAX_EXPORTS_PER_ACTOR = 2;

export interface ExportFiles {
  /**
   * Returns a file that reads chunks at the client's pace. The first chunk is awaited, so that a rejection is still a
   * problem with its status. A later failure aborts the connection, so that a partial file never looks complete.
   */
  open(request: FastifyRequest, chunks: AsyncIterator<string, void, void>): Promise<Readable>;
}

export function createExportFiles(
  app: FastifyInstance,
  { logger, readerPatienceMs = READER_PATIENCE_MS }: { logger: Logger; readerPatienceMs?: number },
): ExportFiles {
  const slots = createOpenSlots('exports');
  const open = new Set<Readable>();

  // An export may take longer than the shutdown can wait.
  app.addHook('preClose', (done) => {
    for (const file of open) file.destroy(new Error('The gateway is shutting down.'));
    done();
  });

  return {
    async open(request, chunks) {
      if (request.session === null) throw new Error('An export requires a session.');
      const giveBack = slots.take({ [actorIdOf(request.session)]: MAX_EXPORTS_PER_ACTOR });
      try {
        const file = patientFile(await chunks.next(), chunks, readerPatienceMs);
        open.add(file);
        file.on('close', () => {
          open.delete(file);
          giveBack();
        });
        file.on('error', (err) => {
          logger.warn({ request_id: request.id, err }, 'export aborted');
        });
        return file;
      } catch (error) {
        giveBack();
        throw error;
      }
    },
  };
}

function patientFile(
  first: IteratorResult<string, void>,
  chunks: AsyncIterator<string, void, void>,
  readerPatienceMs: number,
): Readable {
  async function* patiently(): AsyncGenerator<string> {
    for (let chunk = first; !chunk.done; chunk = await chunks.next()) {
      // A page may be empty before the end.
      if (chunk.value !== '') yield* taken(chunk.value);
    }
  }

  /** The next chunk is read after the client has consumed this one. */
  function* taken(chunk: string): Generator<string> {
    const stalled = setTimeout(
      () => file.destroy(new Error('The client read nothing for too long.')),
      readerPatienceMs,
    );
    try {
      yield chunk;
    } finally {
      clearTimeout(stalled);
    }
  }

  const file = Readable.from(patiently(), { highWaterMark: 1 });
  return file;
}
