import { connectBus } from '@tollgate/bus/connection';
import { ensureStreams } from '@tollgate/bus/streams';
import { systemClock } from '@tollgate/runtime/clock';
import { createLogger } from '@tollgate/runtime/logger';
import { runService } from '@tollgate/runtime/run-service';
import { createActorSigner, createActorVerifier } from '@tollgate/security/actor-token';
import { connectMongoDB } from '@tollgate/store/mongodb';
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

await runService({ name: SERVICE, app, connections: { NATS: bus, MongoDB: connection }, config, logger });
