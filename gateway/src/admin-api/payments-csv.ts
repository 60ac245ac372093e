import { PAYMENTS_CSV_PATH } from '@tollgate/contracts/admin-api/routes';
import { listApplications } from '@tollgate/contracts/applications/rpc';
import { PaymentsExportQuery } from '@tollgate/contracts/payments/payments-export';
import { listPayments } from '@tollgate/contracts/payments/rpc';
import { MAX_PAGE_SIZE } from '@tollgate/contracts/platform/page';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { registerCsvExport } from './csv-export.ts';
import type { ExportDeps } from './export-route.ts';
import { paymentColumns } from './payment-columns.ts';
import { createReadQuery } from './query-parameters.ts';
import type { callOptions } from './session.ts';

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
      columnsOf: async ({ time_zone = 'UTC' }, options) =>
        paymentColumns(await applicationNames(deps, options), time_zone),
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
async function applicationNames(
  { callService }: ExportDeps,
  options: ReturnType<typeof callOptions>,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  let cursor: string | null = null;
  do {
    const request = { limit: MAX_PAGE_SIZE, ...(cursor !== null && { cursor }) };
    const page: Static<typeof listApplications.reply> = await callService(listApplications, request, options);
    for (const { id, name } of page.data) names.set(id, name);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return names;
}
