import { connectBus } from '@tollgate/bus/connection';
import { ensureStreams } from '@tollgate/bus/streams';
import { systemClock } from '@tollgate/runtime/clock';
import { createLogger } from '@tollgate/runtime/logger';
import { createMetrics } from '@tollgate/runtime/metrics';
import { runService } from '@tollgate/runtime/run-service';
import { createActorVerifier } from '@tollgate/security/actor-token';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { buildApp } from './app.ts';
import { readUsageConfig } from './config.ts';
import { DATABASE } from './database.ts';

const SERVICE = 'usage';

const config = readUsageConfig(process.env);
const logger = createLogger({ service: SERVICE, level: config.logLevel });
const registry = createMetrics(SERVICE);
const bus = await connectBus({
  url: config.natsUrl,
  name: SERVICE,
  replicas: config.natsReplicas,
  logger,
});
await ensureStreams(bus);
const connection = await connectMongoDB({
  url: config.mongodbUrl,
  database: DATABASE,
  appName: SERVICE,
  logger,
});
const app = await buildApp({
  bus,
  connection,
  verifyActor: createActorVerifier(config.actorPublicKeys, systemClock),
  clock: systemClock,
  logger,
  registry,
});

await runService({
  name: SERVICE,
  app,
  connections: { NATS: bus, MongoDB: connection },
  config,
  logger,
  registry,
});
