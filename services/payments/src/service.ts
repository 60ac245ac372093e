import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { runStopSteps } from '@tollgate/runtime/graceful-stop';
import type { Service, ServiceApp, ServiceContext } from '@tollgate/service/service';
import { buildApp, type RunningApp } from './app.ts';
import { type PaymentsConfig, paymentsVariables, readPaymentsConfig } from './config.ts';
import { AUDITED_COLLECTIONS, paymentsSchema } from './schema.ts';

/** The listener must still accept requests that a gateway sent before it received the goodbye. */
const DRAIN_GRACE_MS = 500;

export const service: Service<PaymentsConfig, ServiceApp> = {
  name: 'payments',
  database: DATABASES.payments,
  auditedCollections: AUDITED_COLLECTIONS,
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
      if (!running) return;
      const { announceDraining, stopServing, stopWorking } = running;
      const steps = [
        { name: 'announce draining', run: announceDraining },
        { name: 'wait for gateways to react', run: () => sleep(DRAIN_GRACE_MS) },
        { name: 'stop serving', run: stopServing },
        { name: 'stop workers', run: stopWorking },
      ];
      await runStopSteps(steps, context.logger);
    },
  };
}
