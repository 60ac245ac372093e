import type { AddressInfo } from 'node:net';
import { httpOrigin } from '@tollgate/http/http-origin';
import { startPeriodic } from '@tollgate/runtime/periodic';
import type { FastifyInstance } from 'fastify';
import type { PaymentsConfig } from './config.ts';
import { closeHttp } from './http/http-server.ts';
import { createInstanceAnnouncer } from './http/instance-announcer.ts';
import type { Lane } from './processing/lane.ts';
import type { Reconciler } from './reconciliation/reconciler.ts';
import { type RpcDeps, servePaymentsRpc } from './rpc.ts';

const ANNOUNCEMENT_INTERVAL_MS = 1_000;
const LANE_INTERVAL_MS = 250;
const EXPIRY_INTERVAL_MS = 10_000;
const SWEEP_INTERVAL_MS = 2_000;
const COUNT_INTERVAL_MS = 15_000;
/** `STUCK_AFTER` is minutes or longer. */
const STUCK_INTERVAL_MS = 60_000;
const PURGE_INTERVAL_MS = 15_000;
const REAPPLY_INTERVAL_MS = 60_000;
const RETENTION_INTERVAL_MS = 60_000;
const RECONCILIATION_INTERVAL_MS = 30_000;
const APPROVAL_INTERVAL_MS = 10_000;
const RESET_INTERVAL_MS = 1_000;

/** The steps of a graceful stop, in order. */
export interface RunningApp {
  /** The address at which gateways reach this instance. */
  url: string;
  /** Gateways send no new requests after this. */
  announceDraining(): Promise<void>;
  /** Completes requests in flight and closes the listener. */
  stopServing(): Promise<void>;
  /** Stops the background work and publishes pending events. */
  stopWorking(): Promise<void>;
}

export interface BackgroundTasks {
  expirePayments(): Promise<unknown>;
  sweepOutbox(): Promise<unknown>;
  purgeStreams(): Promise<unknown>;
  applyErasures(): Promise<unknown>;
  eraseByRetention(): Promise<unknown>;
  expireApprovalRequests(): Promise<unknown>;
  finishApprovals(): Promise<unknown>;
  countOpenPayments(): Promise<unknown>;
  noticeStuckPayments(): Promise<unknown>;
  carryOutResets(): Promise<unknown>;
}

/** Starts every part of the service that runs by itself, from the first request to the last event. */
export async function runApp(
  deps: RpcDeps & {
    http: FastifyInstance;
    callbackHttp: FastifyInstance;
    closeProcessors(): Promise<void>;
    lanes: Lane[];
    reconcilers: Reconciler[];
    tasks: BackgroundTasks;
    config: Pick<
      PaymentsConfig,
      'host' | 'port' | 'advertisedUrl' | 'callbackHost' | 'callbackPort' | 'internalSigningKeys'
    >;
    /** Aborted when the background work must stop. */
    stop: AbortController;
  },
): Promise<RunningApp> {
  const { http, callbackHttp, outbox, lanes, reconcilers, tasks, bus, config, clock, logger } = deps;
  await http.listen({ host: config.host, port: config.port });
  const { port } = http.server.address() as AddressInfo;
  const url = config.advertisedUrl || httpOrigin(config.host, port);
  const { callbackPort } = config;
  if (callbackPort !== null) await callbackHttp.listen({ host: config.callbackHost, port: callbackPort });
  const announcer = createInstanceAnnouncer({ bus, keyring: config.internalSigningKeys, clock, url });
  const rpc = servePaymentsRpc(deps);
  const periodic = (name: string, intervalMs: number, run: () => Promise<unknown>) =>
    startPeriodic({ name, intervalMs, run, logger });
  const announcing = periodic('announce', ANNOUNCEMENT_INTERVAL_MS, async () => announcer.announce());
  const workers = [
    ...lanes.map((lane) => periodic('process due payments', LANE_INTERVAL_MS, lane.run)),
    ...reconcilers.map((reconciler) =>
      periodic('compare payments with their processor', RECONCILIATION_INTERVAL_MS, reconciler.run),
    ),
    periodic('expire payments', EXPIRY_INTERVAL_MS, tasks.expirePayments),
    periodic('sweep the outbox', SWEEP_INTERVAL_MS, tasks.sweepOutbox),
    periodic('delete messages of erased payments', PURGE_INTERVAL_MS, tasks.purgeStreams),
    periodic('erase restored payments again', REAPPLY_INTERVAL_MS, tasks.applyErasures),
    periodic('erase by retention period', RETENTION_INTERVAL_MS, tasks.eraseByRetention),
    periodic('expire approval requests', APPROVAL_INTERVAL_MS, tasks.expireApprovalRequests),
    periodic('finish approved settlements', APPROVAL_INTERVAL_MS, tasks.finishApprovals),
    periodic('count open payments', COUNT_INTERVAL_MS, tasks.countOpenPayments),
    periodic('notice stuck payments', STUCK_INTERVAL_MS, tasks.noticeStuckPayments),
    periodic('reset sandboxes', RESET_INTERVAL_MS, tasks.carryOutResets),
  ];
  return {
    url,
    async announceDraining() {
      await announcing.stop();
      await announcer.announceDraining();
    },
    async stopServing() {
      await Promise.all([closeHttp(http), closeHttp(callbackHttp), rpc.stop()]);
    },
    async stopWorking() {
      deps.stop.abort();
      await Promise.all(workers.map((worker) => worker.stop()));
      await Promise.all(lanes.map((lane) => lane.idle()));
      await deps.closeProcessors();
      await outbox.drain();
    },
  };
}
