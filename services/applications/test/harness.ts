import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { type Bucket, openBucket } from '@tollgate/bus/kv';
import { callRpc } from '@tollgate/bus/rpc';
import { ensureStreams } from '@tollgate/bus/streams';
import { serveAuditLog } from '@tollgate/bus/test/stand-in-audit-log';
import type { Actor } from '@tollgate/contracts/actor';
import type { ApiKey, Application, CreatedApiKey } from '@tollgate/contracts/application';
import {
  type ApplicationEntry,
  applicationEntryKey,
  type KeyEntry,
  keyEntryKey,
  PRINCIPALS_BUCKET,
} from '@tollgate/contracts/principal';
import * as contract from '@tollgate/contracts/rpc/applications';
import type { RpcContract } from '@tollgate/contracts/rpc/contract';
import { systemClock } from '@tollgate/runtime/clock';
import { createLogger, type Logger } from '@tollgate/runtime/logger';
import { createActorSigner, createActorVerifier } from '@tollgate/security/actor-token';
import { type Keyring, parseKeyring } from '@tollgate/security/keyring';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { eventually } from '@tollgate/test-kit/eventually';
import { createFakeClock, type FakeClock } from '@tollgate/test-kit/fake-clock';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import type { Connection } from 'mongoose';
import type { Static, TSchema } from 'typebox';
import { type App, buildApp } from '../src/app.ts';

/** One instance of the service with connections of its own. */
export interface Service {
  app: App;
  bus: Bus;
  connection: Connection;
  stop(): Promise<void>;
}

export interface Harness {
  infra: Infra;
  clock: FakeClock;
  logger: Logger;
  /** Every line that instances of the service have logged. */
  logLines: string[];
  peppers: Keyring;
  verifyActor: (token: string) => Promise<Actor>;
  /** Environment of a process of the service on the same servers and secrets. */
  processEnv: Record<string, string>;
  /** A caller's connection, apart from the service's. */
  client: Bus;
  /** A new instance; `isStarted: false` leaves it wired but idle, for tests that drive its parts. */
  startService(options?: { isStarted: boolean }): Promise<Service>;
  /** Calls over NATS with the actor's signed token. */
  call<Request extends TSchema, Reply extends TSchema>(
    actor: Actor,
    method: RpcContract<'member', Request, Reply>,
    request: Static<Request>,
  ): Promise<Static<Reply>>;
  bucket(): Promise<Bucket>;
  keyEntry(key: ApiKey): Promise<KeyEntry | null>;
  applicationEntry(application: Application): Promise<ApplicationEntry | null>;
  stop(): Promise<void>;
}

export async function startHarness(): Promise<Harness> {
  const infra = await startInfra();
  const clock = createFakeClock();
  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const logger = createLogger({ service: 'applications', level: 'trace', destination });
  const pepperText = `1:${randomBytes(32).toString('base64')}`;
  const peppers = parseKeyring(pepperText);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const signActor = createActorSigner(privateKey, systemClock);
  const verifyActor = createActorVerifier([publicKey], systemClock);
  const client = await connectBus({ url: infra.natsUrl, name: 'test' });
  const auditLog = serveAuditLog(client, logger);
  const services = new Set<Service>();
  const bucket = () => openBucket(client, PRINCIPALS_BUCKET, { create: false });

  return {
    infra,
    clock,
    logger,
    logLines,
    peppers,
    verifyActor,
    processEnv: {
      NATS_URL: infra.natsUrl,
      MONGODB_URL: infra.mongodbUrl,
      API_KEY_PEPPERS: pepperText,
      ACTOR_PUBLIC_KEYS: publicKey,
    },
    client,
    bucket,

    async startService({ isStarted } = { isStarted: true }) {
      const bus = await connectBus({ url: infra.natsUrl, name: 'applications', logger });
      await ensureStreams(bus);
      const connection = await connectMongoDB({
        url: infra.mongodbUrl,
        database: 'tollgate_applications',
        appName: 'applications',
        logger,
      });
      const app = await buildApp({ bus, connection, peppers, verifyActor, clock, logger });
      if (isStarted) {
        app.start();
        await eventually('the bucket is filled', () => app.reconciler.hasReconciled());
      }
      const service: Service = {
        app,
        bus,
        connection,
        async stop() {
          services.delete(service);
          await app.stop();
          await bus.close();
          await connection.close();
        },
      };
      services.add(service);
      return service;
    },

    async call(actor, method, request) {
      return callRpc(client, method, request, { actorToken: await signActor(actor) });
    },

    async keyEntry(key) {
      const stored = await (await bucket()).get(keyEntryKey(key.lookup_id));
      return (stored?.value ?? null) as KeyEntry | null;
    },

    async applicationEntry(application) {
      const stored = await (await bucket()).get(applicationEntryKey(application.id));
      return (stored?.value ?? null) as ApplicationEntry | null;
    },

    async stop() {
      for (const service of services) await service.stop();
      await auditLog.stop();
      await client.close();
      await infra.stop();
    },
  };
}

export function createApplication(harness: Harness, actor: Actor): Promise<Application> {
  return harness.call(actor, contract.createApplication, {
    name: 'Shop',
    scopes: ['payment:create', 'payment:read'],
  });
}

export function createKey(
  harness: Harness,
  actor: Actor,
  application: Application,
  fields: Partial<Static<typeof contract.createKey.request>> = {},
): Promise<CreatedApiKey> {
  return harness.call(actor, contract.createKey, {
    application_id: application.id,
    name: 'Server',
    environment: 'sandbox',
    ...fields,
  });
}
