import { setTimeout as sleep } from 'node:timers/promises';
import { runStopSteps } from '@tollgate/runtime/graceful-stop';
import type { Service, ServiceApp, ServiceContext } from '@tollgate/service/service';
import { buildApp } from './app.ts';
import { APPROVAL_REQUESTS } from './approval/approval-store.ts';
import { APPROVAL_POLICIES } from './approval/policy-store.ts';
import { type PaymentsConfig, paymentsVariables, readPaymentsConfig } from './config.ts';
import { DIFFERENCES } from './reconciliation/difference-store.ts';
import { RETENTION_SETTINGS } from './retention/retention-store.ts';
import type { RunningApp } from './running-app.ts';
import { SANDBOX_RESETS } from './sandbox-reset/reset-store.ts';
import { paymentsSchema } from './schema.ts';
import { DATABASE } from './store/database.ts';
import { STUCK_BURSTS } from './stuck/stuck-burst-store.ts';

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
