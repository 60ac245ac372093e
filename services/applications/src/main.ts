import { connectBus } from '@tollgate/bus/connection';
import { ensureStreams } from '@tollgate/bus/streams';
import { systemClock } from '@tollgate/runtime/clock';
import { createLogger } from '@tollgate/runtime/logger';
import { runService } from '@tollgate/runtime/run-service';
import { createActorVerifier } from '@tollgate/security/actor-token';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { buildApp } from './app.ts';
import { readApplicationsConfig } from './config.ts';

const SERVICE = 'applications';

const config = readApplicationsConfig(process.env);
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
  database: 'tollgate_applications',
  appName: SERVICE,
  logger,
});
const app = await buildApp({
  bus,
  connection,
  peppers: config.apiKeyPeppers,
  verifyActor: createActorVerifier(config.actorPublicKeys, systemClock),
  clock: systemClock,
  logger,
});

await runService({ name: SERVICE, app, connections: { NATS: bus, MongoDB: connection }, config, logger });
