import type { Bus } from '@tollgate/bus/connection';
import { type RpcServerOptions, serveRpc } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/audit/rpc';
import type { Context } from '../context.ts';
import { exportLog } from '../export/export-log.ts';
import { recordExport } from '../export/record-export.ts';

export function serveExportRpc(bus: Bus, context: Context, options: RpcServerOptions) {
  return [
    serveRpc(
      bus,
      contract.exportRecords,
      async (request, { actor }) => {
        const { lines, nextCursor } = await exportLog(context, actor, request);
        return { lines, next_cursor: nextCursor };
      },
      options,
    ),
    serveRpc(
      bus,
      contract.recordExport,
      ({ of, environment, filters }, { actor }) =>
        recordExport(context, actor, { of, environment, parameters: filters }),
      options,
    ),
  ];
}
