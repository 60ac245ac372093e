import { generateKeyPairSync } from 'node:crypto';
import { parsePublicKey, publicKeyOf, type SigningKey, type VerifyingKey } from '@tollgate/audit-log/keys';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { createPublisher, type Publisher } from '@tollgate/bus/publisher';
import { callRpc } from '@tollgate/bus/rpc';
import { ensureStreams } from '@tollgate/bus/streams';
import { servePayments } from '@tollgate/bus/test/stand-in-payments';
import type { Actor } from '@tollgate/contracts/actor';
import type { AuditEntry } from '@tollgate/contracts/audit';
import { EVENT_TYPES } from '@tollgate/contracts/event-types';
import type { PaymentCause, PaymentEvent, PaymentEventType } from '@tollgate/contracts/events';
import { newId } from '@tollgate/contracts/ids';
import type { RpcContract } from '@tollgate/contracts/rpc/contract';
import { auditSubject, eventSubject } from '@tollgate/contracts/streams';
import { systemClock } from '@tollgate/runtime/clock';
import { createLogger, type Logger } from '@tollgate/runtime/logger';
import { createActorSigner, createActorVerifier } from '@tollgate/security/actor-token';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { createFakeClock, type FakeClock } from '@tollgate/test-kit/fake-clock';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import type { Connection } from 'mongoose';
import { Registry } from 'prom-client';
import type { Static, TSchema } from 'typebox';
import { type App, type AppDeps, buildApp } from '../src/app.ts';

const DATABASE = 'tollgate_audit';

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
  /** To verify what the service has signed. */
  publicKeys: VerifyingKey[];
  /** Environment of a process of the service on the same servers and secrets. */
  processEnv: Record<string, string>;
  client: Bus;
  /** Events that the stand-in for payments has, oldest first. */
  owned: PaymentEvent[];
  /** A new instance; `isStarted: false` leaves it wired but idle, for tests that drive its parts. */
  startService(options?: Partial<AppDeps> & { isStarted?: boolean }): Promise<Service>;
  call<Request extends TSchema, Reply extends TSchema>(
    actor: Actor,
    method: RpcContract<'member', Request, Reply>,
    request: Static<Request>,
  ): Promise<Static<Reply>>;
  /** As a service does with what its outbox holds. */
  publish(entry: AuditEntry): Promise<void>;
  /** As payments does: the event is its own, and the stream is told. */
  publishEvent(event: PaymentEvent): Promise<void>;
  stop(): Promise<void>;
}

/** The clock begins at the real time, for ids tell it. */
export async function startHarness(): Promise<Harness> {
  const infra = await startInfra();
  const clock = createFakeClock(Date.now());
  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const logger = createLogger({ service: 'audit', level: 'warn', destination });
  const key: SigningKey = { version: 1, privateKey: generateKeyPairSync('ed25519').privateKey };
  const pem = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const signActor = createActorSigner(pem.privateKey, systemClock);
  const client = await connectBus({ url: infra.natsUrl, name: 'test' });
  await ensureStreams(client);
  const publisher: Publisher = createPublisher(client);
  const services = new Set<Service>();
  const owned: PaymentEvent[] = [];
  const payments = servePayments(client, owned, logger);

  return {
    infra,
    clock,
    logger,
    logLines,
    publicKeys: [parsePublicKey(publicKeyOf(key).public_key, key.version)],
    processEnv: {
      NATS_URL: infra.natsUrl,
      MONGODB_URL: infra.mongodbUrl,
      AUDIT_SIGNING_KEYS: `1:${key.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')}`,
      ACTOR_PUBLIC_KEYS: pem.publicKey,
    },
    client,
    owned,

    async startService({ isStarted = true, ...changes } = {}) {
      const bus = await connectBus({ url: infra.natsUrl, name: 'audit', logger });
      const connection = await connectMongoDB({
        url: infra.mongodbUrl,
        database: DATABASE,
        appName: 'audit',
        logger,
      });
      const app = await buildApp({
        bus,
        connection,
        signingKeys: [key],
        witnessUrl: null,
        verifyActor: createActorVerifier([pem.publicKey], systemClock),
        clock,
        logger,
        registry: new Registry(),
        ...changes,
      });
      if (isStarted) {
        app.start();
        // The server has heard of the subscriptions once it answers what was sent after them.
        await bus.nats.flush();
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

    publish: (entry) => publisher.publish(auditSubject(entry.action), entry, { messageId: entry.id }),

    async publishEvent(event) {
      owned.push(event);
      await publisher.publish(eventSubject(event.type), event, { messageId: event.id });
    },

    async stop() {
      for (const service of services) await service.stop();
      await payments.stop();
      await client.close();
      await infra.stop();
    },
  };
}

export function anEntry(teamId: string, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: newId('audit'),
    occurred_at: new Date().toISOString(),
    team_id: teamId,
    environment: null,
    actor: { type: 'member', id: newId('member'), name: 'Grace Hopper', session_id: newId('session') },
    action: 'application.renamed',
    target: { type: 'application', id: newId('application'), name: 'Web shop' },
    application_id: newId('application'),
    changes: { name: { before: 'Shop', after: 'Web shop' } },
    context: { ip: '192.0.2.7', user_agent: 'Mozilla/5.0', request_id: newId('request') },
    ...more,
  };
}

/** An event of a payment of its own, as payments publishes it. */
export function anEvent(
  teamId: string,
  { type, cause, environment = 'sandbox', at = new Date() }: AnEventOptions,
): PaymentEvent {
  const definition = EVENT_TYPES.find((candidate) => candidate.type === type);
  const { application_id, ...payment } = (definition as (typeof EVENT_TYPES)[number]).example.data;
  return {
    id: newId('event'),
    type,
    occurred_at: at.toISOString(),
    team_id: teamId,
    application_id,
    environment,
    cause: { address: null, ...cause },
    request_id: newId('request'),
    data: { ...payment, id: newId('payment'), environment },
  };
}

interface AnEventOptions {
  type: PaymentEventType;
  cause: Omit<PaymentCause, 'address'> & { address?: string };
  environment?: 'live' | 'sandbox';
  at?: Date;
}
