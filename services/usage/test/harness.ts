import { generateKeyPairSync } from 'node:crypto';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import { ensureStreams } from '@tollgate/bus/streams';
import { member } from '@tollgate/bus/test/member';
import type { RpcContract } from '@tollgate/contracts/rpc/contract';
import { systemClock } from '@tollgate/runtime/clock';
import { createLogger } from '@tollgate/runtime/logger';
import { createActorSigner, createActorVerifier } from '@tollgate/security/actor-token';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { createFakeClock, type FakeClock } from '@tollgate/test-kit/fake-clock';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import type { Connection } from 'mongoose';
import { Registry } from 'prom-client';
import type { Static, TSchema } from 'typebox';
import { type App, buildApp } from '../src/app.ts';
import { DATABASE } from '../src/database.ts';

export const NOW = Date.parse('2026-11-21T12:00:00.000Z');

/** One instance of the service with connections of its own. */
export interface Service {
  app: App;
  bus: Bus;
  connection: Connection;
  registry: Registry;
  stop(): Promise<void>;
}

export interface Harness {
  infra: Infra;
  clock: FakeClock;
  /** Every line that instances of the service have logged. */
  logLines: string[];
  processEnv: Record<string, string>;
  client: Bus;
  /** A new instance; `isStarted: false` leaves it wired but idle, for tests that drive its parts. */
  startService(options?: { isStarted?: boolean }): Promise<Service>;
  /** As a viewer of the team. */
  call<Request extends TSchema, Reply extends TSchema>(
    teamId: string,
    method: RpcContract<'member', Request, Reply>,
    request: Static<Request>,
  ): Promise<Static<Reply>>;
  stop(): Promise<void>;
}

export async function startHarness(): Promise<Harness> {
  const infra = await startInfra();
  const clock = createFakeClock(NOW);
  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const logger = createLogger({ service: 'usage', level: 'trace', destination });
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const signActor = createActorSigner(privateKey, systemClock);
  const client = await connectBus({ url: infra.natsUrl, name: 'test' });
  await ensureStreams(client);
  const services = new Set<Service>();

  return {
    infra,
    clock,
    logLines,
    processEnv: { NATS_URL: infra.natsUrl, MONGODB_URL: infra.mongodbUrl, ACTOR_PUBLIC_KEYS: publicKey },
    client,

    async startService({ isStarted = true } = {}) {
      const bus = await connectBus({ url: infra.natsUrl, name: 'usage', logger });
      const connection = await connectMongoDB({
        url: infra.mongodbUrl,
        database: DATABASE,
        appName: 'usage',
        logger,
      });
      const registry = new Registry();
      const verifyActor = createActorVerifier([publicKey], systemClock);
      const app = await buildApp({ bus, connection, verifyActor, clock, logger, registry });
      if (isStarted) app.start();
      const service: Service = {
        app,
        bus,
        connection,
        registry,
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

    call: async (teamId, method, request) =>
      callRpc(client, method, request, { actorToken: await signActor(member('viewer', teamId)) }),

    async stop() {
      for (const service of services) await service.stop();
      await client.close();
      await infra.stop();
    },
  };
}
