import { recordExport } from '@tollgate/contracts/audit/rpc';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { RpcContract } from '@tollgate/contracts/platform/rpc-contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type CsvColumns, csvHeader, csvRow } from './csv.ts';
import { type ExportDeps, registerExport } from './export-route.ts';
import { pagesInSession } from './pages-in-session.ts';
import { callOptions } from './session.ts';

/** Rows of a paged list as a CSV file. */
export interface CsvExport<Filter extends { environment?: Environment }, Row> {
  of: 'payments' | 'usage';
  path: string;
  /** The RPCs that read the file. */
  calls: readonly RpcContract[];
  readFilter: (target: string) => Filter;
  readPage: (
    request: Filter & { cursor?: string },
    options: ReturnType<typeof callOptions>,
  ) => Promise<{ data: Row[]; next_cursor: string | null }>;
  columnsOf: (filter: Filter, request: FastifyRequest) => CsvColumns<Row> | Promise<CsvColumns<Row>>;
}

/** Exports rows page by page. The audit log records the export before the response starts. */
export function registerCsvExport<Filter extends { environment?: Environment }, Row>(
  app: FastifyInstance,
  { of, path, calls, readFilter, readPage, columnsOf }: CsvExport<Filter, Row>,
  deps: ExportDeps,
): void {
  async function* readChunks(request: FastifyRequest, filter: Filter): AsyncGenerator<string, void, void> {
    const { environment = null } = filter;
    const filters = Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]));
    await deps.callService(recordExport, { of, environment, filters }, callOptions(request));
    const columns = await columnsOf(filter, request);
    const readPageAt = (position: { cursor?: string }) =>
      readPage({ ...filter, ...position }, callOptions(request));
    let header = csvHeader(columns);
    for await (const page of pagesInSession(request, readPageAt, deps)) {
      yield header + page.data.map((row) => csvRow(columns, row)).join('');
      header = '';
    }
  }

  registerExport(
    app,
    {
      path,
      operation: `${of}.csv`,
      calls: [recordExport, ...calls],
      mediaType: 'text/csv',
      readQuery: readFilter,
      readChunks,
      fileName: ({ environment = 'all' }, date) => `${of}-${environment}-${date}.csv`,
    },
    deps,
  );
}
