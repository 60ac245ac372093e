import { setTimeout as sleep } from 'node:timers/promises';
import { connectBus } from '@tollgate/bus/connection';
import { systemClock } from '@tollgate/runtime/clock';
import { onStop } from '@tollgate/runtime/graceful-stop';
import { createLogger } from '@tollgate/runtime/logger';
import { createMetrics } from '@tollgate/runtime/metrics';
import { startOpsServer } from '@tollgate/runtime/ops-server';
import { connectMongoDB, isConnected } from '@tollgate/store/mongodb';
import { buildApp } from './app.ts';
import { readPaymentsConfig } from './config.ts';

const SERVICE = 'payments';
/** A request that a gateway sent before it heard the goodbye still has to find the listener. */
const GOODBYE_GRACE_MS = 500;

const config = readPaymentsConfig(process.env);
const logger = createLogger({ service: SERVICE, level: config.logLevel });
const registry = createMetrics(SERVICE);

let unready: string | null = 'the process is starting';
const reasonsNotReady = () => {
  if (unready !== null) return [unready];
  // NATS is not among the reasons: payments are taken without it, and their events wait in their documents.
  return isConnected(connection) ? [] : ['MongoDB is unreachable'];
};
const ops = await startOpsServer({ host: config.opsHost, port: config.opsPort, registry, reasonsNotReady });

const connection = await connectMongoDB({
  url: config.mongodbUrl,
  database: 'tollgate_payments',
  appName: SERVICE,
  logger,
});
const bus = await connectBus({
  url: config.natsUrl,
  name: SERVICE,
  replicas: config.natsReplicas,
  logger,
});
const app = buildApp({ connection, bus, config, clock: systemClock, logger, registry });
const running = await app.start();
unready = null;
logger.info({ url: running.url }, 'payments is listening');

onStop({
  logger,
  steps: [
    {
      name: 'say goodbye',
      run() {
        unready = 'the process is stopping';
        return running.sayGoodbye();
      },
    },
    { name: 'let gateways hear it', run: () => sleep(GOODBYE_GRACE_MS) },
    { name: 'stop serving', run: running.stopServing },
    { name: 'stop working', run: running.stopWorking },
    { name: 'close the bus', run: () => bus.close() },
    { name: 'close MongoDB', run: () => connection.close() },
    { name: 'close the ops server', run: ops.stop },
  ],
});
