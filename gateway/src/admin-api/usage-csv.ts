import { USAGE_CSV_PATH } from '@tollgate/contracts/admin-api/routes';
import { queryUsage, UsageQuery } from '@tollgate/contracts/usage/rpc';
import { USAGE_LIMITS } from '@tollgate/contracts/usage/usage';
import type { FastifyInstance } from 'fastify';
import { registerCsvExport } from './csv-export.ts';
import type { ExportDeps } from './export-route.ts';
import { createReadQuery } from './query-parameters.ts';
import { usageColumns } from './usage-columns.ts';

/** `GET /admin/v1/usage.csv` exports usage over time: one row for each group in each minute, hour, or day. */
export function registerUsageCsv(app: FastifyInstance, deps: ExportDeps): void {
  const readFilter = createReadQuery(UsageQuery);
  registerCsvExport(
    app,
    {
      of: 'usage',
      path: USAGE_CSV_PATH,
      calls: [queryUsage],
      readFilter,
      readPage: (request, options) =>
        deps.callService(queryUsage, { ...request, limit: USAGE_LIMITS.rowsPerReply }, options),
      columnsOf: ({ group_by }) => usageColumns(group_by),
    },
    deps,
  );
}
