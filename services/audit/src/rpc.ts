import { proveConsistency } from '@tollgate/audit-log/consistency-proof';
import { proveInclusion } from '@tollgate/audit-log/inclusion-proof';
import { publicKeyOf } from '@tollgate/audit-log/keys';
import type { Bus } from '@tollgate/bus/connection';
import { type RpcServer, type RpcServerOptions, serve } from '@tollgate/bus/rpc';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import * as contract from '@tollgate/contracts/audit/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import {
  narrowEnvironment,
  requireAllEnvironments,
  requireEnvironment,
} from '@tollgate/security/require-environment';
import { createOnce } from '@tollgate/store/create-once';
import { pageReply, parsePageRequest } from '@tollgate/store/keyset-page';
import { createTeamQueries } from '@tollgate/store/team-queries';
import type { AppendContext } from './append/appender.ts';
import { findStored } from './append/stored-entries.ts';
import type { Context } from './context.ts';
import { exportLog } from './export/export-log.ts';
import { recordExport } from './export/record-export.ts';
import { listHeadPage } from './heads/head-page.ts';
import { toHead } from './heads/head-store.ts';
import { toRecord } from './records/record-document.ts';
import type { VerificationRunner } from './verification/run-verification.ts';
import { type StoredVerification, verificationToWire } from './verification/verification-store.ts';

/** Serves `rpc.audit.*`. */
export function serveAuditRpc(
  bus: Bus,
  context: AppendContext & { verificationRunner: VerificationRunner },
  options: RpcServerOptions,
): RpcServer {
  const { records, rejections, heads, nodes, verifications, verificationRunner, signingKeys } = context;
  const queries = createTeamQueries();
  return serve(
    bus,
    contract,
    {
      async listRecords({ environment: requested, ...request }, { actor }) {
        const environment = narrowEnvironment(actor, requested);
        const filters = { ...request, ...(environment && { environment }) };
        const page = await queries.run(actor.team_id, () =>
          records.list(actor.team_id, filters, parsePageRequest(request)),
        );
        return pageReply(page, toRecord);
      },
      getRecord: ({ record_id }, { actor }) => findRecord(context, actor, record_id),
      async confirmEntries({ entries }) {
        const [stored, rejected] = await Promise.all([
          findStored(context, entries),
          rejections.findRejected(entries),
        ]);
        return { stored: stored.map(({ id }) => id), rejected: rejected.map(({ id }) => id) };
      },
      listHeads: (request, { actor }) => listHeadPage(context, actor.team_id, request),
      async proveInclusion({ record_id }, { actor }) {
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
      },
      async proveConsistency({ from_number, to_number }, { actor }) {
        if (from_number > to_number) {
          throw new Problem('invalid-request', 'The first tree head must be the older one.', {
            errors: [{ pointer: '/from_number', code: 'invalid', detail: 'Send at most `to_number`.' }],
          });
        }
        const from = await findHead(context, actor.team_id, from_number);
        const to = await findHead(context, actor.team_id, to_number);
        const path = await proveConsistency(from.size, to.size, nodes.readerOf(actor.team_id));
        return { from, to, path };
      },
      publicKeys: async () => ({ data: signingKeys.map(publicKeyOf) }),
      async startVerification(_request, { actor, idempotentCall }) {
        // A key is bound to the verification that is running.
        const verification = await createOnce<StoredVerification>(context, actor, idempotentCall, {
          newId: () => newId('auditVerification'),
          idOf: ({ _id }) => _id,
          find: (id) => verifications.find(actor.team_id, id),
          create: async (reserveId) => verificationRunner.start(actor.team_id, await reserveId()),
        });
        return verificationToWire(verification);
      },
      async getVerification({ verification_id }, { actor }) {
        const verification = await verifications.find(actor.team_id, verification_id);
        if (verification) return verificationToWire(verification);
        throw new Problem('not-found', `Your team's audit log has no verification ${verification_id}.`);
      },
      async latestVerification(_request, { actor }) {
        const latest = await verifications.findLatest(actor.team_id);
        return { verification: latest && verificationToWire(latest) };
      },
      exportRecords: (request, { actor }) => exportLog(context, actor, request),
      recordExport: (request, { actor }) => recordExport(context, actor, request),
    },
    options,
  );
}

/**
 * The team's record. Throws `not-found`, also for one of another team, and `forbidden` outside the actor's environments. A
 * record without an environment concerns both.
 */
async function findRecord({ records }: Context, actor: Actor, recordId: string): Promise<AuditRecord> {
  const record = await records.find(actor.team_id, recordId);
  if (!record) throw new Problem('not-found', `Your team has no audit record ${recordId}.`);
  if (record.environment === null) requireAllEnvironments(actor, 'read this audit record');
  else requireEnvironment(actor, record.environment);
  return record;
}

async function findHead({ heads }: Context, teamId: string, number: number): Promise<AuditHead> {
  const head = await heads.find(teamId, number);
  if (head) return toHead(head);
  throw new Problem('not-found', `Your team's audit log has no tree head ${number}.`);
}
