import { randomUUID } from 'node:crypto';
import { parsePublicKey, publicKeyOf, type SigningKey } from '@tollgate/audit-log/keys';
import type { Bus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import { notifyOfTampering } from '@tollgate/contracts/accounts/rpc';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { startPeriodic } from '@tollgate/runtime/periodic';
import type { VerifyActor } from '@tollgate/security/actor-token';
import type { VerifyMessage } from '@tollgate/security/message-verifier';
import { createEventReconciler } from '@tollgate/service/event-reconciler';
import { createIdempotencyStore } from '@tollgate/store/idempotency-store';
import { isStoreUnavailable } from '@tollgate/store/store-unavailable';
import { createTeamQueries } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import { appendMissing } from './append/append-missing.ts';
import { createAppender } from './append/appender.ts';
import { consumeEntries, consumePayments } from './append/consume-entries.ts';
import { createRejectionStore } from './append/rejection-store.ts';
import { createStoredEntries } from './append/stored-entries.ts';
import { createAuditMetrics } from './audit-metrics.ts';
import type { Context } from './context.ts';
import { createHeadStore } from './heads/head-store.ts';
import { createKnownHeads } from './heads/known-heads.ts';
import { createLogStore } from './heads/log-store.ts';
import { createNodeStore } from './heads/node-store.ts';
import { HEAD_INTERVAL_MS, signTreeHeads } from './heads/sign-tree-heads.ts';
import { createWitness } from './heads/witness.ts';
import { createRecordStore } from './records/record-store.ts';
import { type RecordRestoresDeps, recordRestores } from './restore/record-restores.ts';
import { createRestoreStore } from './restore/restore-store.ts';
import { serveAuditRpc } from './rpc.ts';
import { reportTampering } from './verification/report-tampering.ts';
import { createVerificationRunner } from './verification/run-verification.ts';
import { createVerificationStore } from './verification/verification-store.ts';
import type { LogVerifier } from './verification/verify-log.ts';

const TAKE_OVER_INTERVAL_MS = 5_000;
const REPORT_INTERVAL_MS = 5_000;

export interface AppDeps {
  bus: Bus;
  connection: Connection;
  /** The first key signs. The others signed in the past. */
  signingKeys: readonly [SigningKey, ...SigningKey[]];
  /** URL of the witness that receives every signed tree head. Null without a witness. */
  witnessUrl: string | null;
  verifyActor: VerifyActor;
  /** Returns why an audit entry fails verification, or null. */
  verifyEntry: VerifyMessage;
  /** Returns why a payment event fails verification, or null. */
  verifyEvent: VerifyMessage;
  clock: Clock;
  logger: Logger;
  /** Registry of the service's metrics. */
  registry: Registry;
}

export interface App {
  context: Context;
  /** Dependencies of an integrity check. */
  verifier: LogVerifier;
  /** Dependencies of the record of a restore. */
  restoring: RecordRestoresDeps;
  /** When a reconciliation is due, appends the events of payments that were never received as messages. */
  reconcileIfDue(): Promise<void>;
  /** Records declared restores, and signs a tree head for records that no head covers yet. */
  signTreeHeads(): Promise<void>;
  /** Records verifications that found a log tampered with, and has members notified. */
  reportTampering(): Promise<void>;
  /** Serves RPC, appends, reconciles, and signs tree heads. */
  start(): void;
  /** Stops accepting calls and messages, and finishes those in flight. */
  stop(): Promise<void>;
}

/** Connects the parts of the service. Nothing runs before `start`. */
export function buildApp(deps: AppDeps): App {
  const { bus, connection, signingKeys, clock, logger } = deps;
  const [key] = signingKeys;
  const publicKeys = signingKeys.map((each) => parsePublicKey(publicKeyOf(each).public_key, each.version));
  const metrics = createAuditMetrics(deps.registry);
  const records = createRecordStore(connection);
  const heads = createHeadStore(connection);
  const nodes = createNodeStore(connection, records);
  const verifications = createVerificationStore(connection);
  const logs = createLogStore(connection);
  const knownHeads = createKnownHeads(bus, publicKeys);
  const restores = createRestoreStore(connection);
  const rejections = createRejectionStore(connection);
  const witness = createWitness({ url: deps.witnessUrl, logger });

  const stored = createStoredEntries({
    records,
    signingKeys,
    publicKeys,
    onTaken({ id, team_id }) {
      metrics.countTakenId();
      logger.error(
        { team_id, key: id },
        'the id of an audit entry belongs to a record with other content; the entry is stored under another id',
      );
    },
  });
  const appender = createAppender({
    records,
    stored,
    heads,
    logs,
    key,
    clock,
    onAppended: metrics.countAppended,
  });
  const headSigner = {
    records,
    heads,
    logs,
    knownHeads,
    nodes,
    key,
    publicKeys,
    clock,
    witness(head: Parameters<typeof witness.publish>[0]) {
      metrics.countHead();
      witness.publish(head);
    },
  };
  const verifier = {
    records,
    heads,
    nodes,
    logs,
    knownHeads,
    headSigner,
    key,
    signingKeys,
    publicKeys,
    clock,
  };
  const verificationRunner = createVerificationRunner({
    verifications,
    verifier,
    instanceId: randomUUID(),
    onEnded: metrics.countVerification,
    clock,
    logger,
  });
  const context: Context = {
    records,
    stored,
    rejections,
    heads,
    nodes,
    appender,
    headSigner,
    verifications,
    verificationRunner,
    idempotency: createIdempotencyStore(connection),
    queries: createTeamQueries(),
    signingKeys,
    publicKeys,
    clock,
    logger,
  };

  const reconciler = createEventReconciler({
    bus,
    connection,
    // All payments, because changes from before the audit log existed also need a record.
    firstSince: new Date(0),
    takeMissing: (events) => appendMissing({ stored, appender, logger }, events),
    verifyEvent: deps.verifyEvent,
    onReconciled: metrics.countReconciled,
    clock,
    logger,
  });
  const keeper = {
    records,
    heads,
    logs,
    signer: headSigner,
    onRejected: metrics.countRejectedHead,
    clock,
    logger,
  };
  const restoring = {
    restores,
    records,
    heads,
    logs,
    nodes,
    knownHeads,
    appender,
    onRejected: metrics.countRejectedHead,
    key,
    publicKeys,
    clock,
    logger,
  };
  const keepHeads = async () => {
    await recordRestores(restoring);
    await signTreeHeads(keeper);
  };
  const report = () =>
    reportTampering({
      ...{ verifications, records, appender, clock, logger },
      async notify(entry) {
        await callRpc(bus, notifyOfTampering, { entry });
      },
    });
  const running: { stop(): unknown }[] = [];

  return {
    context,
    verifier,
    restoring,
    reconcileIfDue: reconciler.reconcileIfDue,
    signTreeHeads: keepHeads,
    reportTampering: report,

    start() {
      const periodic = (name: string, intervalMs: number, run: () => Promise<unknown>) =>
        startPeriodic({ name, intervalMs, run, logger });
      running.push(
        serveAuditRpc(bus, context, {
          verifyActor: deps.verifyActor,
          isUnavailable: isStoreUnavailable,
          logger,
        }),
      );
      running.push(
        consumeEntries(bus, { appender, rejections, verify: deps.verifyEntry, clock, logger }),
        consumePayments(bus, { appender, verify: deps.verifyEvent, logger }),
      );
      running.push(reconciler.start());
      running.push(periodic('sign audit heads', HEAD_INTERVAL_MS, keepHeads));
      running.push(periodic('take over verifications', TAKE_OVER_INTERVAL_MS, verificationRunner.takeOver));
      running.push(periodic('report tampering', REPORT_INTERVAL_MS, report));
      running.push(verificationRunner, witness);
    },

    async stop() {
      for (const part of running.splice(0)) await part.stop();
    },
  };
}
