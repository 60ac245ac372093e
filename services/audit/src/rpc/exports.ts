import type { ServeRpc } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/audit/rpc';
import type { Context } from '../context.ts';
import { exportLog } from '../export/export-log.ts';
import { recordExport } from '../export/record-export.ts';

export function serveExportRpc(serve: ServeRpc, context: Context) {
  return [
    serve(contract.exportRecords, async (request, { actor }) => {
      const { lines, nextCursor } = await exportLog(context, actor, request);
      return { lines, next_cursor: nextCursor };
    }),
    serve(contract.recordExport, ({ of, environment, filters }, { actor }) =>
      recordExport(context, actor, { of, environment, parameters: filters }),
    ),
  ];
}
