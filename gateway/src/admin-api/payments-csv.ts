import { PAYMENTS_CSV_PATH } from '@tollgate/contracts/admin-api/routes';
import { listApplications } from '@tollgate/contracts/applications/rpc';
import { PaymentsExportQuery } from '@tollgate/contracts/payments/payments-export';
import { listPayments } from '@tollgate/contracts/payments/rpc';
import { MAX_PAGE_SIZE } from '@tollgate/contracts/platform/page';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { registerCsvExport } from './csv-export.ts';
import type { ExportDeps } from './export-route.ts';
import { pagesInSession } from './pages-in-session.ts';
import { paymentColumns } from './payment-columns.ts';
import { createReadQuery } from './query-parameters.ts';
import { callOptions } from './session.ts';

/** `GET /admin/v1/payments.csv` exports all payments that match the filters. */
export function registerPaymentsCsv(app: FastifyInstance, deps: ExportDeps): void {
  const readQuery = createReadQuery(PaymentsExportQuery);
  registerCsvExport(
    app,
    {
      of: 'payments',
      path: PAYMENTS_CSV_PATH,
      calls: [listPayments, listApplications],
      readFilter: (target) => requireKnownZone(readQuery(target)),
      readPage: ({ time_zone: _, ...request }, options) =>
        deps.callService(listPayments, { ...request, limit: MAX_PAGE_SIZE }, options),
      columnsOf: async ({ time_zone = 'UTC' }, request) =>
        paymentColumns(await applicationNames(deps, request), time_zone),
    },
    deps,
  );
}

/** @throws Problem `invalid-request` for a zone that this machine does not know */
function requireKnownZone<Query extends { time_zone?: string }>(query: Query): Query {
  try {
    new Intl.DateTimeFormat('en', { timeZone: query.time_zone });
    return query;
  } catch {
    throw new Problem('invalid-request', 'The time zone is unknown.', {
      errors: [{ parameter: 'time_zone', code: 'invalid', detail: 'Send a name such as Europe/Berlin.' }],
    });
  }
}

/** The names of the team's applications, by id. */
async function applicationNames(deps: ExportDeps, request: FastifyRequest): Promise<Map<string, string>> {
  const readPage = (position: { cursor?: string }) =>
    deps.callService(listApplications, { limit: MAX_PAGE_SIZE, ...position }, callOptions(request));
  const names = new Map<string, string>();
  for await (const { data } of pagesInSession(request, readPage, deps))
    for (const { id, name } of data) names.set(id, name);
  return names;
}
