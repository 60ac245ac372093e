import type { ServeRpc } from '@tollgate/bus/rpc';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import * as contract from '@tollgate/contracts/audit/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import {
  narrowEnvironment,
  requireAllEnvironments,
  requireEnvironment,
} from '@tollgate/security/require-environment';
import { pageReply, parsePageRequest } from '@tollgate/store/keyset-page';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import type { RecordFilter } from '../records/record-store.ts';

export function serveRecordRpc(serve: ServeRpc, { records, stored, rejections, queries }: Context) {
  return [
    serve(contract.listRecords, async (request, { actor }) => {
      const page = await queries.run(actor.team_id, () =>
        records.list(actor.team_id, filterOf(request, actor), parsePageRequest(request)),
      );
      return pageReply(page, (record) => record);
    }),
    serve(contract.getRecord, (request, { actor }) => findRecord({ records }, actor, request.record_id)),
    serve(contract.confirmEntries, async ({ entries }) => {
      const [found, rejected] = await Promise.all([
        stored.findStored(entries),
        rejections.findRejected(entries),
      ]);
      return { stored: found.map(({ id }) => id), rejected: rejected.map(({ id }) => id) };
    }),
  ];
}

/**
 * The team's record. Throws `not-found`, also for one of another team, and `forbidden` outside the actor's environments. A
 * record without an environment concerns both.
 */
export async function findRecord(
  { records }: Pick<Context, 'records'>,
  actor: Actor,
  recordId: string,
): Promise<AuditRecord> {
  const record = await records.find(actor.team_id, recordId);
  if (!record) throw new Problem('not-found', `Your team has no audit record ${recordId}.`);
  if (record.environment === null) requireAllEnvironments(actor, 'read this audit record');
  else requireEnvironment(actor, record.environment);
  return record;
}

function filterOf(request: Static<typeof contract.listRecords.request>, actor: Actor): RecordFilter {
  return {
    actorType: request.actor_type,
    actorId: request.actor_id,
    action: request.action,
    targetType: request.target_type,
    targetId: request.target_id,
    applicationId: request.application_id,
    environment: narrowEnvironment(actor, request.environment),
    occurredFrom: dateOf(request.occurred_from),
    occurredTo: dateOf(request.occurred_to),
    search: request.search,
  };
}

function dateOf(time: string | undefined): Date | undefined {
  return time === undefined ? undefined : new Date(time);
}
