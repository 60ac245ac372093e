import { proveConsistency } from '@tollgate/audit-log/consistency-proof';
import { proveInclusion } from '@tollgate/audit-log/inclusion-proof';
import { publicKeyOf } from '@tollgate/audit-log/keys';
import type { ServeRpc } from '@tollgate/bus/rpc';
import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import * as contract from '@tollgate/contracts/audit/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import { listHeadPage } from '../heads/head-page.ts';
import { toHead } from '../heads/head-store.ts';
import { findRecord } from './records.ts';

export function serveHeadRpc(serve: ServeRpc, context: Context) {
  const { heads, nodes, signingKeys } = context;
  return [
    serve(contract.listHeads, (request, { actor }) => listHeadPage(heads, actor.team_id, request)),
    serve(contract.proveInclusion, async ({ record_id }, { actor }) => {
      const record = await findRecord(context, actor, record_id);
      const head = await heads.findFirstOfSize(actor.team_id, record.seq);
      if (!head)
        throw new Problem(
          'conflict',
          'No signed tree head covers this record yet. One is signed every minute. Try again later.',
        );
      const index = record.seq - 1;
      const path = await proveInclusion(index, head.size, nodes.readerOf(actor.team_id));
      return { record, index, path, head: toHead(head) };
    }),
    serve(contract.proveConsistency, async ({ from_number, to_number }, { actor }) => {
      if (from_number > to_number) {
        throw new Problem('invalid-request', 'The first tree head must be the older one.', {
          errors: [{ pointer: '/from_number', code: 'invalid', detail: 'Send at most `to_number`.' }],
        });
      }
      const from = await findHead(context, actor.team_id, from_number);
      const to = await findHead(context, actor.team_id, to_number);
      const path = await proveConsistency(from.size, to.size, nodes.readerOf(actor.team_id));
      return { from, to, path };
    }),
    serve(contract.publicKeys, async () => ({ data: signingKeys.map(publicKeyOf) })),
  ];
}

async function findHead(
  { heads }: Pick<Context, 'heads'>,
  teamId: string,
  number: number,
): Promise<AuditHead> {
  const head = await heads.find(teamId, number);
  if (head) return toHead(head);
  throw new Problem('not-found', `Your team's audit log has no tree head ${number}.`);
}
