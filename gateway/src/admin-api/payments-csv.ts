import { PAYMENTS_CSV_PATH } from '@tollgate/contracts/admin-api/routes';
import { PaymentFilters } from '@tollgate/contracts/payments/payment-history';
import { listPayments } from '@tollgate/contracts/payments/rpc';
import { MAX_PAGE_SIZE } from '@tollgate/contracts/platform/page';
import type { FastifyInstance } from 'fastify';
import { registerCsvExport } from './csv-export.ts';
import type { ExportDeps } from './export-route.ts';
import { PAYMENT_COLUMNS } from './payment-columns.ts';
import { createReadQuery } from './query-parameters.ts';

/** `GET /admin/v1/payments.csv` exports all payments that match the filters. */
export function registerPaymentsCsv(app: FastifyInstance, deps: ExportDeps): void {
  const readFilter = createReadQuery(PaymentFilters);
  registerCsvExport(
    app,
    {
      of: 'payments',
      path: PAYMENTS_CSV_PATH,
      pageRpc: listPayments,
      readFilter,
      readPage: (request, options) =>
        deps.callService(listPayments, { ...request, limit: MAX_PAGE_SIZE }, options),
      columnsOf: () => PAYMENT_COLUMNS,
    },
    deps,
  );
}
