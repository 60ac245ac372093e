import { parsePublicKey, publicKeyOf } from '@tollgate/audit-log/keys';
import { callRpc } from '@tollgate/bus/rpc';
import { notifyOfTampering } from '@tollgate/contracts/accounts/rpc';
import { RESTORES_COLLECTION, type RestoreDocument } from '@tollgate/contracts/audit/restore';
import { startPeriodic } from '@tollgate/runtime/periodic';
import { mayWriteAuditEntry } from '@tollgate/security/audit-entry';
import { createMessageVerifier } from '@tollgate/security/message-verifier';
import { createEventReconciler } from '@tollgate/service/event-reconciler';
import type { ServiceContext } from '@tollgate/service/service';
import { createIdempotencyStore } from '@tollgate/store/idempotency-store';
import { createLeases } from '@tollgate/store/lease';
import { isStoreUnavailable } from '@tollgate/store/store-unavailable';
import { createAppender } from './append/appender.ts';
import { appendMissing, consumeEntries, consumePayments } from './append/consume-entries.ts';
import { createRejectionStore } from './append/rejection-store.ts';
import { createAuditMetrics } from './audit-metrics.ts';
import type { AuditConfig } from './config.ts';
import type { Context } from './context.ts';
import { createHeadStore } from './heads/head-store.ts';
import { createKnownHeads } from './heads/known-heads.ts';
import { createLogStore } from './heads/log-store.ts';
import { createNodeStore } from './heads/node-store.ts';
import { HEAD_INTERVAL_MS, signTreeHeads } from './heads/sign-tree-heads.ts';
import { createWitness } from './heads/witness.ts';
import { createRecordStore } from './records/record-store.ts';
import { recordRestores } from './restore/record-restores.ts';
import { serveAuditRpc } from './rpc.ts';
import { reportTampering } from './verification/report-tampering.ts';
import { createVerificationRunner } from './verification/run-verification.ts';
import { createVerificationStore } from './verification/verification-store.ts';

const TAKE_OVER_INTERVAL_MS = 5_000;
const REPORT_INTERVAL_MS = 5_000;

export type AppDeps = ReturnType<typeof appDeps>;

/** Dependencies of the app, from the configuration and the open connections. Tests replace some of them. */
export function appDeps({ config, ...context }: ServiceContext<AuditConfig>) {
  const { countUnverified } = context;
  const verification = { findPublicKey: config.signerPublicKeys, countUnverified };
  return {
    ...context,
    signingKeys: config.signingKeys,
    witnessUrl: config.witnessUrl || null,
    verifyEntry: createMessageVerifier('audit_entry', { ...verification, mayWrite: mayWriteAuditEntry }),
    verifyEvent: createMessageVerifier('payment_event', verification),
  };
}

export type App = ReturnType<typeof buildApp>;

/** Connects the parts of the service. Nothing runs before `start`. */
export function buildApp(deps: AppDeps) {
  const { bus, connection, signingKeys, verifyEntry, verifyEvent, clock, logger } = deps;
  const publicKeys = signingKeys.map((key) => parsePublicKey(publicKeyOf(key).public_key, key.version));
  const records = createRecordStore(connection);
  const shared: Context = {
    records,
    rejections: createRejectionStore(connection),
    heads: createHeadStore(connection),
    nodes: createNodeStore(connection, records),
    logs: createLogStore(connection),
    knownHeads: createKnownHeads(bus, publicKeys),
    witness: createWitness({ url: deps.witnessUrl, logger }),
    restores: createLeases(connection.collection<RestoreDocument>(RESTORES_COLLECTION), {
      until: 'leased_until',
      where: { recorded_at: null },
      isFreeWithoutEnd: true,
    }),
    verifications: createVerificationStore(connection),
    idempotency: createIdempotencyStore(connection),
    signingKeys,
    publicKeys,
    metrics: createAuditMetrics(deps.registry),
    clock,
    logger,
  };
  const context = {
    ...shared,
    appender: createAppender(shared),
    verificationRunner: createVerificationRunner(shared),
  };
  const reconciler = createEventReconciler({
    bus,
    connection,
    // All payments, because changes from before the audit log existed also need a record.
    firstSince: new Date(0),
    takeMissing: (events) => appendMissing(context, events),
    verifyEvent,
    onReconciled: (found) => context.metrics.reconciled.inc(found),
    clock,
    logger,
  });
  async function keepHeads(): Promise<void> {
    await recordRestores(context);
    await signTreeHeads(context);
  }
  const report = () => reportTampering(context, (entry) => callRpc(bus, notifyOfTampering, { entry }));
  const periodic = [
    { name: 'sign audit heads', intervalMs: HEAD_INTERVAL_MS, run: keepHeads },
    {
      name: 'take over verifications',
      intervalMs: TAKE_OVER_INTERVAL_MS,
      run: context.verificationRunner.takeOver,
    },
    { name: 'report tampering', intervalMs: REPORT_INTERVAL_MS, run: report },
  ];
  const running: { stop(): unknown }[] = [];

  return {
    context,
    /** When a reconciliation is due, appends the events of payments that were never received as messages. */
    reconcileIfDue: reconciler.reconcileIfDue,
    /** Records declared restores, and signs a tree head for records that no head covers yet. */
    signTreeHeads: keepHeads,
    /** Records verifications that found a log tampered with, and has members notified. */
    reportTampering: report,

    start() {
      const { verifyActor } = deps;
      running.push(
        serveAuditRpc(bus, context, { verifyActor, isUnavailable: isStoreUnavailable, logger }),
        consumeEntries(bus, context, verifyEntry),
        consumePayments(bus, context, verifyEvent),
        reconciler.start(),
        ...periodic.map((task) => startPeriodic({ ...task, logger })),
        context.verificationRunner,
        context.witness,
      );
    },

    async stop() {
      for (const part of running.splice(0)) await part.stop();
    },
  };
}
