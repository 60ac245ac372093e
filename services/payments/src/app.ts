import type { AddressInfo } from 'node:net';
import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { httpOrigin } from '@tollgate/http/http-origin';
import { startPeriodic } from '@tollgate/runtime/periodic';
import { createAgeGauge } from '@tollgate/service/age-gauge';
import { expireRequests } from './approval/expire-requests.ts';
import { expirePayments } from './cancellation/request-cancellation.ts';
import { type AppDeps, createContext } from './context.ts';
import { purgeStreams } from './erasure/purge-streams.ts';
import { buildCallbackHttp } from './http/callback-server.ts';
import { buildHttp, closeHttp } from './http/http-server.ts';
import { createInstanceAnnouncer } from './http/instance-announcer.ts';
import { createPaymentCount } from './processing/count-open-payments.ts';
import { createLane } from './processing/lane.ts';
import { createReconciler } from './reconciliation/reconciler.ts';
import { eraseByRetention } from './retention/erase-by-retention.ts';
import { servePaymentsRpc } from './rpc.ts';
import { carryOutResets } from './sandbox-reset/carry-out-resets.ts';
import { finishApprovals } from './settlement/finish-approvals.ts';
import { noticeStuckPayments } from './stuck/notice-stuck-payments.ts';
import { rollUpPayments } from './totals/follow-changes.ts';

export type PaymentsApp = ReturnType<typeof buildApp>;

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

/** Connects the parts of the service. Nothing runs before `start`; tests call the use cases and periodic tasks directly. */
export function buildApp(deps: AppDeps) {
  const context = createContext(deps);
  const { bus, config, erasures, logger, outbox, processors, store } = context;
  const lanes = [...processors.values()].map((processor) => createLane(context, processor));
  const reconcilers = [...config.processorsFile.adapters.keys()].map((name) =>
    createReconciler(context, name),
  );
  const http = buildHttp(context);
  const callbackHttp = buildCallbackHttp(context);
  createAgeGauge(context.registry, {
    ...context,
    name: 'tollgate_payments_outbox_oldest_age_seconds',
    help: 'Age of the oldest event that is not published, across all instances',
    oldestAt: () => store.oldestUnpublishedAt(),
  });

  /**
   * Skips a task that cannot be undone while the clock of this machine differs from MongoDB's: a clock that is ahead would end
   * and erase payments too early. The other instances continue, or this one does once its clock is right.
   */
  const unlessClockIsWrong = (task: string, run: () => Promise<void>) => async () => {
    const reason = await context.compareClock();
    if (reason === null) return run();
    logger.error({ task, reason }, 'the clock is wrong; the task is skipped');
  };
  const tasks = {
    expirePayments: unlessClockIsWrong('expire payments', () => expirePayments(context)),
    sweepOutbox: () => outbox.sweep(),
    purgeStreams: () => purgeStreams(context),
    applyErasures: () => erasures.apply(),
    eraseByRetention: unlessClockIsWrong('erase by retention period', () => eraseByRetention(context)),
    expireApprovalRequests: () => expireRequests(context),
    finishApprovals: () => finishApprovals(context),
    countOpenPayments: createPaymentCount(context),
    noticeStuckPayments: () => noticeStuckPayments(context),
    carryOutResets: () => carryOutResets(context),
    rollUpPayments: unlessClockIsWrong('roll up payments', () => rollUpPayments(context)),
  };
  const jobs: { name: string; intervalMs: number; run(): Promise<unknown> }[] = [
    ...lanes.map(({ run }) => ({ name: 'process due payments', intervalMs: 250, run })),
    ...reconcilers.map(({ run }) => ({
      name: 'compare payments with their processor',
      intervalMs: 30 * SECOND_MS,
      run,
    })),
    { name: 'expire payments', intervalMs: 10 * SECOND_MS, run: tasks.expirePayments },
    { name: 'sweep the outbox', intervalMs: 2 * SECOND_MS, run: tasks.sweepOutbox },
    { name: 'delete messages of erased payments', intervalMs: 15 * SECOND_MS, run: tasks.purgeStreams },
    { name: 'erase restored payments again', intervalMs: MINUTE_MS, run: tasks.applyErasures },
    { name: 'erase by retention period', intervalMs: MINUTE_MS, run: tasks.eraseByRetention },
    { name: 'expire approval requests', intervalMs: 10 * SECOND_MS, run: tasks.expireApprovalRequests },
    { name: 'finish approved settlements', intervalMs: 10 * SECOND_MS, run: tasks.finishApprovals },
    { name: 'count open payments', intervalMs: 15 * SECOND_MS, run: tasks.countOpenPayments },
    // `STUCK_AFTER` is minutes or longer.
    { name: 'notice stuck payments', intervalMs: MINUTE_MS, run: tasks.noticeStuckPayments },
    { name: 'reset sandboxes', intervalMs: SECOND_MS, run: tasks.carryOutResets },
    { name: 'roll up payments', intervalMs: 2 * SECOND_MS, run: tasks.rollUpPayments },
  ];

  return {
    ...context,
    http,
    callbackHttp,
    lanes,
    reconcilers,
    tasks,

    /** Listens, serves RPC, announces the instance, and runs the background tasks. */
    async start(): Promise<RunningApp> {
      const { host, callbackHost, callbackPort } = config;
      await http.listen({ host, port: config.port });
      const url = config.advertisedUrl || httpOrigin(host, (http.server.address() as AddressInfo).port);
      if (callbackPort !== null) await callbackHttp.listen({ host: callbackHost, port: callbackPort });
      const announcer = createInstanceAnnouncer(context, url);
      const rpc = servePaymentsRpc(bus, context);
      const announcing = startPeriodic({
        name: 'announce',
        intervalMs: SECOND_MS,
        run: async () => announcer.announce(),
        logger,
      });
      const workers = jobs.map((job) => startPeriodic({ ...job, logger }));
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
          context.stop.abort();
          await Promise.all(workers.map((worker) => worker.stop()));
          await Promise.all(lanes.map((lane) => lane.idle()));
          await context.closeProcessors();
          await outbox.drain();
        },
      };
    },
  };
}
