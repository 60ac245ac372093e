import { Readable } from 'node:stream';
import { PAYMENTS_CSV_PATH } from '@tollgate/contracts/admin-api/routes';
import { PaymentFilters } from '@tollgate/contracts/payment-history';
import type { Clock } from '@tollgate/service-kit/clock';
import type { Logger } from '@tollgate/service-kit/logger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireAccepted } from '../request/content-rules.ts';
import type { CallService } from './call-service.ts';
import { csvLine } from './csv.ts';
import { createOpenSlots } from './open-slots.ts';
import { PAYMENT_COLUMNS, paymentCells } from './payment-columns.ts';
import { type PaymentFilter, type PaymentPage, paymentPages } from './payment-pages.ts';
import { createReadQuery } from './query-parameters.ts';
import type { OpenSession } from './session.ts';

/** A reader that takes nothing for this long keeps a place, and a session that nobody checks, for nothing. */
const READER_PATIENCE_MS = 30_000;
export const MAX_EXPORTS_PER_MEMBER = 2;

export interface PaymentsCsvDeps {
  callService: CallService;
  openSession: OpenSession;
  clock: Clock;
  logger: Logger;
  readerPatienceMs?: number;
}

/**
 * Payments as a CSV file, read page by page as fast as the caller takes them. What goes wrong before the first page is answered as
 * a problem; after that the connection is cut, so that a part never looks like the whole.
 */
export function registerPaymentsCsv(app: FastifyInstance, deps: PaymentsCsvDeps): void {
  const { clock, logger, readerPatienceMs = READER_PATIENCE_MS } = deps;
  const readFilter = createReadQuery(PaymentFilters);
  const slots = createOpenSlots('exports');
  const open = new Set<Readable>();

  async function openFile(request: FastifyRequest, filter: PaymentFilter): Promise<Readable> {
    const giveBack = slots.take({ [request.session?.memberId as string]: MAX_EXPORTS_PER_MEMBER });
    try {
      const pages = paymentPages(request, filter, deps);
      const file = csvFile(await pages.next(), pages, readerPatienceMs);
      open.add(file);
      file.on('close', () => {
        open.delete(file);
        giveBack();
      });
      file.on('error', (err) => {
        logger.warn({ request_id: request.id, err }, 'an export was cut off before its end');
      });
      return file;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const filter = readFilter(request.raw.url ?? '');
    const file = request.method === 'HEAD' ? undefined : await openFile(request, filter);
    return reply.headers(fileHeaders(filter, clock)).send(file);
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: PAYMENTS_CSV_PATH,
    config: { operation: 'payments.csv' },
    async onRequest(request) {
      request.session = await deps.openSession(request);
      requireAccepted(request.raw, 'text/csv');
    },
    handler: send,
  });

  // An export may take longer than a stop can wait for it.
  app.addHook('preClose', (done) => {
    for (const file of open) file.destroy(new Error('The gateway stops.'));
    done();
  });
}

/** `first` is read before, so that a refusal is still a problem with its status. */
function csvFile(
  first: IteratorResult<PaymentPage>,
  pages: AsyncGenerator<PaymentPage>,
  readerPatienceMs: number,
): Readable {
  async function* chunks(): AsyncGenerator<string> {
    yield* patiently(csvLine(PAYMENT_COLUMNS));
    for (let page = first; !page.done; page = await pages.next()) {
      yield* patiently(page.value.data.map((payment) => csvLine(paymentCells(payment))).join(''));
    }
  }

  /** The next chunk is asked for when the reader has taken this one. */
  function* patiently(chunk: string): Generator<string> {
    // A page may be empty before the end.
    if (chunk === '') return;
    const stalled = setTimeout(
      () => file.destroy(new Error('The reader has taken nothing for too long.')),
      readerPatienceMs,
    );
    try {
      yield chunk;
    } finally {
      clearTimeout(stalled);
    }
  }

  const file = Readable.from(chunks(), { highWaterMark: 1 });
  return file;
}

function fileHeaders({ environment }: PaymentFilter, clock: Clock): Record<string, string> {
  const date = new Date(clock.now()).toISOString().slice(0, 10);
  return {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="payments-${environment ?? 'all'}-${date}.csv"`,
  };
}
