import { connectBus } from '@tollgate/bus/connection';
import { systemClock } from '@tollgate/runtime/clock';
import { createLogger } from '@tollgate/runtime/logger';
import { runService } from '@tollgate/runtime/run-service';
import { createActorVerifier } from '@tollgate/security/actor-token';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { Registry } from 'prom-client';
import { buildApp } from '../src/app.ts';
import { readWebhooksConfig } from '../src/config.ts';

/** The service's `main` with a lease of its own, so that a test need not wait for minutes. */
const config = readWebhooksConfig(process.env);
const leaseMs = Number(process.env['TEST_LEASE_MS']);
const logger = createLogger({ service: 'webhooks', level: 'info' });
const bus = await connectBus({ url: config.natsUrl, name: 'webhooks', logger });
const connection = await connectMongoDB({
  url: config.mongodbUrl,
  database: 'tollgate_webhooks',
  appName: 'webhooks',
  logger,
});
const app = await buildApp({
  bus,
  connection,
  encryptionKeys: config.encryptionKeys,
  verifyActor: createActorVerifier(config.actorPublicKeys, systemClock),
  addresses: { allowPrivateInSandbox: config.allowPrivateNetworks, liveNetworks: config.liveNetworks },
  concurrency: config.concurrency,
  clock: systemClock,
  logger,
  registry: new Registry(),
  leaseMs,
  deadlineMs: leaseMs / 2,
});
await runService({ name: 'webhooks', app, connections: { NATS: bus, MongoDB: connection }, config, logger });
