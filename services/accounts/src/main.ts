import { connectBus } from '@tollgate/bus/connection';
import { ensureStreams } from '@tollgate/bus/streams';
import { createActorSigner, createActorVerifier } from '@tollgate/service-kit/actor-token';
import { systemClock } from '@tollgate/service-kit/clock';
import { onStop } from '@tollgate/service-kit/graceful-stop';
import { createLogger } from '@tollgate/service-kit/logger';
import { createMetrics } from '@tollgate/service-kit/metrics';
import { connectMongoDB } from '@tollgate/service-kit/mongodb';
import { startOpsServer } from '@tollgate/service-kit/ops-server';
import { buildApp } from './app.ts';
import { readAccountsConfig } from './config.ts';
import { createPasswordHasher } from './passwords/password.ts';

const SERVICE = 'accounts';

const config = readAccountsConfig(process.env);
const logger = createLogger({ service: SERVICE, level: config.logLevel });
const bus = await connectBus({
  url: config.natsUrl,
  name: SERVICE,
  replicas: config.natsReplicas,
  logger,
});
await ensureStreams(bus);
const connection = await connectMongoDB({
  url: config.mongodbUrl,
  database: 'tollgate_accounts',
  appName: SERVICE,
  logger,
});
const app = await buildApp({
  bus,
  connection,
  passwords: createPasswordHasher(),
  encryptionKeys: config.encryptionKeys,
  signActor: createActorSigner(config.actorSigningKey, systemClock),
  verifyActor: createActorVerifier(config.actorPublicKeys, systemClock),
  setupToken: config.setupToken,
  clock: systemClock,
  logger,
});

let isStopping = false;
const ops = await startOpsServer({
  host: config.opsHost,
  port: config.opsPort,
  reasonsNotReady: () => (isStopping ? ['it is stopping'] : app.reasonsNotReady()),
  registry: createMetrics(SERVICE),
});
app.start();
logger.info({ url: ops.url }, 'accounts serves RPC');

onStop({
  logger,
  steps: [
    {
      name: 'become unready',
      run: () => {
        isStopping = true;
      },
    },
    { name: 'answer and publish what is under way', run: () => app.stop() },
    { name: 'close NATS', run: () => bus.close() },
    { name: 'close MongoDB', run: () => connection.close() },
    { name: 'close the ops server', run: () => ops.stop() },
  ],
});
