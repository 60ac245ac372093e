import { setTimeout as sleep } from 'node:timers/promises';
import { runStopSteps } from '@tollgate/runtime/graceful-stop';
import type { Service, ServiceApp, ServiceContext } from '@tollgate/service/service';
import { buildApp, type RunningApp } from './app.ts';
import { APPROVAL_POLICIES } from './approval/approval-policy.ts';
import { APPROVAL_REQUESTS } from './approval/approval-request.ts';
import { type PaymentsConfig, paymentsVariables, readPaymentsConfig } from './config.ts';
import { DIFFERENCES } from './reconciliation/difference.ts';
import { RETENTION_SETTINGS } from './retention/data-retention.ts';
import { SANDBOX_RESETS } from './sandbox-reset/sandbox-reset.ts';
import { paymentsSchema } from './schema.ts';
import { DATABASE } from './store/database.ts';
import { STUCK_BURSTS } from './stuck/stuck-burst.ts';

/** The listener must still accept requests that a gateway sent before it received the goodbye. */
const DRAIN_GRACE_MS = 500;

export const service: Service<PaymentsConfig, ServiceApp> = {
  name: 'payments',
  database: DATABASE,
  auditedCollections: [
    DIFFERENCES,
    RETENTION_SETTINGS,
    APPROVAL_POLICIES,
    APPROVAL_REQUESTS,
    SANDBOX_RESETS,
    STUCK_BURSTS,
  ],
  // The service accepts payments without NATS, and keeps their events in their documents.
  isReadyWithoutNats: true,
  // The callbacks of adapters. Gateways learn from the announcement.
  isBehindBalancer: true,
  schema: paymentsSchema,
  variables: paymentsVariables,
  configure: readPaymentsConfig,
  build: createServiceApp,
};

function createServiceApp(context: ServiceContext<PaymentsConfig>): ServiceApp {
  const app = buildApp(context);
  let running: RunningApp | undefined;
  return {
    async start() {
      running = await app.start();
      context.logger.info({ url: running.url }, 'listening for gateways');
    },
    async stop() {
      if (running) await runStopSteps(stopSteps(running), context.logger);
    },
  };
}

function stopSteps({ announceDraining, stopServing, stopWorking }: RunningApp) {
  return [
    { name: 'announce draining', run: announceDraining },
    { name: 'wait for gateways to react', run: () => sleep(DRAIN_GRACE_MS) },
    { name: 'stop serving', run: stopServing },
    { name: 'stop workers', run: stopWorking },
  ];
}
