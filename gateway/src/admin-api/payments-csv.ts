import { PAYMENTS_CSV_PATH } from '@tollgate/contracts/admin-api/routes';
import { PaymentFilters } from '@tollgate/contracts/payment-history';
import { recordExport } from '@tollgate/contracts/rpc/audit';
import { MAX_PAGE_SIZE } from '@tollgate/contracts/rpc/page';
import { listPayments } from '@tollgate/contracts/rpc/payments';
import type { Clock } from '@tollgate/runtime/clock';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { requireAccepted } from '../request/content-rules.ts';
import type { CallService } from './call-service.ts';
import { csvLine } from './csv.ts';
import type { ExportFiles } from './export-files.ts';
import { pagesInSession } from './pages-in-session.ts';
import { PAYMENT_COLUMNS, paymentCells } from './payment-columns.ts';
import { createReadQuery } from './query-parameters.ts';
import { callOptions, type OpenSession } from './session.ts';

type PaymentFilter = Omit<Static<(typeof listPayments)['request']>, 'limit' | 'cursor'>;

export interface PaymentsCsvDeps {
  callService: CallService;
  openSession: OpenSession;
  exportFiles: ExportFiles;
  clock: Clock;
}

/** Exports payments as a CSV file, page by page. The audit log records the export before the response starts. */
export function registerPaymentsCsv(app: FastifyInstance, deps: PaymentsCsvDeps): void {
  const { clock, callService, exportFiles } = deps;
  const readFilter = createReadQuery(PaymentFilters);

  async function* chunks(request: FastifyRequest, filter: PaymentFilter): AsyncGenerator<string, void, void> {
    const { environment = null } = filter;
    const filters = Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]));
    await callService(recordExport, { of: 'payments', environment, filters }, callOptions(request));
    const readPage = (position: { cursor?: string }) =>
      callService(listPayments, { ...filter, ...position, limit: MAX_PAGE_SIZE }, callOptions(request));
    let header = csvLine(PAYMENT_COLUMNS);
    for await (const page of pagesInSession(request, readPage, deps)) {
      yield header + page.data.map((payment) => csvLine(paymentCells(payment))).join('');
      header = '';
    }
  }

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const filter = readFilter(request.raw.url ?? '');
    const file =
      request.method === 'HEAD' ? undefined : await exportFiles.open(request, chunks(request, filter));
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
}

function fileHeaders({ environment }: PaymentFilter, clock: Clock): Record<string, string> {
  const date = new Date(clock.now()).toISOString().slice(0, 10);
  return {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="payments-${environment ?? 'all'}-${date}.csv"`,
  };
}
