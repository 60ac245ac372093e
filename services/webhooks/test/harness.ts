import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { openBucket } from '@tollgate/bus/kv';
import { createPublisher, type Publisher } from '@tollgate/bus/publisher';
import { callRpc } from '@tollgate/bus/rpc';
import { ensureStreams } from '@tollgate/bus/streams';
import { member } from '@tollgate/bus/test/member';
import { serveAuditLog } from '@tollgate/bus/test/stand-in-audit-log';
import { servePayments } from '@tollgate/bus/test/stand-in-payments';
import type { Actor } from '@tollgate/contracts/actor';
import { EVENT_TYPES } from '@tollgate/contracts/event-types';
import type { PaymentEvent, PaymentEventType } from '@tollgate/contracts/events';
import { newId } from '@tollgate/contracts/ids';
import { applicationEntryKey, DEFAULT_LIMITS, PRINCIPALS_BUCKET } from '@tollgate/contracts/principal';
import type { RpcContract } from '@tollgate/contracts/rpc/contract';
import * as contract from '@tollgate/contracts/rpc/webhooks';
import { eventSubject } from '@tollgate/contracts/streams';
import type { WebhookEndpointWithSecret } from '@tollgate/contracts/webhook';
import { systemClock } from '@tollgate/runtime/clock';
import { createLogger, type Logger } from '@tollgate/runtime/logger';
import { createActorSigner, createActorVerifier } from '@tollgate/security/actor-token';
import { type Keyring, parseKeyring } from '@tollgate/security/keyring';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { createFakeClock, type FakeClock } from '@tollgate/test-kit/fake-clock';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import type { Connection } from 'mongoose';
import { Registry } from 'prom-client';
import type { Static, TSchema } from 'typebox';
import { type App, type AppDeps, buildApp } from '../src/app.ts';
import { judgeAgeBy, noteEndpoint } from './endpoint-book.ts';

/** One instance of the service with connections of its own. */
export interface Service {
  app: App;
  bus: Bus;
  connection: Connection;
  stop(): Promise<void>;
}

/** An application of a team, with a member of each role that matters. */
export interface TestApplication {
  teamId: string;
  id: string;
  admin: Actor;
  developer: Actor;
  viewer: Actor;
}

export interface Harness {
  infra: Infra;
  clock: FakeClock;
  logger: Logger;
  /** Every line that instances of the service have logged. */
  logLines: string[];
  encryptionKeys: Keyring;
  /** Environment of a process of the service on the same servers and secrets. */
  processEnv: Record<string, string>;
  client: Bus;
  /** Events that the stand-in for payments has, oldest first. */
  owned: PaymentEvent[];
  /** A new instance; `isStarted: false` leaves it wired but idle, for tests that drive its parts. */
  startService(options?: Partial<AppDeps> & { isStarted?: boolean }): Promise<Service>;
  anApplication(): Promise<TestApplication>;
  call<Request extends TSchema, Reply extends TSchema>(
    actor: Actor,
    method: RpcContract<'member', Request, Reply>,
    request: Static<Request>,
  ): Promise<Static<Reply>>;
  /** An endpoint that takes every event, in the sandbox unless told otherwise. */
  anEndpoint(
    application: TestApplication,
    url: string,
    fields?: Partial<Static<typeof contract.createEndpoint.request>>,
  ): Promise<WebhookEndpointWithSecret>;
  /** As payments does: the event is its own, and the stream is told. */
  publish(event: PaymentEvent): Promise<void>;
  stop(): Promise<void>;
}

export const ALL_TYPES = EVENT_TYPES.map(({ type }) => type);

/** The clock begins at the real time, because receivers check how old a signature is. */
export async function startHarness(): Promise<Harness> {
  const infra = await startInfra();
  const clock = createFakeClock(Date.now());
  judgeAgeBy(clock);
  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const logger = createLogger({ service: 'webhooks', level: 'trace', destination });
  const keyText = `1:${randomBytes(32).toString('base64')}`;
  const encryptionKeys = parseKeyring(keyText);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const signActor = createActorSigner(privateKey, systemClock);
  const client = await connectBus({ url: infra.natsUrl, name: 'test' });
  await ensureStreams(client);
  const auditLog = serveAuditLog(client, logger);
  const publisher: Publisher = createPublisher(client);
  const bucket = await openBucket(client, PRINCIPALS_BUCKET, { create: true });
  const services = new Set<Service>();
  const owned: PaymentEvent[] = [];
  const payments = servePayments(client, owned, logger);

  const harness: Harness = {
    infra,
    clock,
    logger,
    logLines,
    encryptionKeys,
    processEnv: {
      NATS_URL: infra.natsUrl,
      MONGODB_URL: infra.mongodbUrl,
      WEBHOOK_ENCRYPTION_KEYS: keyText,
      WEBHOOKS_ALLOW_PRIVATE_NETWORKS: 'true',
      ACTOR_PUBLIC_KEYS: publicKey,
    },
    client,
    owned,

    async startService({ isStarted = true, ...changes } = {}) {
      const bus = await connectBus({ url: infra.natsUrl, name: 'webhooks', logger });
      const connection = await connectMongoDB({
        url: infra.mongodbUrl,
        database: 'tollgate_webhooks',
        appName: 'webhooks',
        logger,
      });
      const app = await buildApp({
        bus,
        connection,
        encryptionKeys,
        verifyActor: createActorVerifier([publicKey], systemClock),
        addresses: { allowPrivateInSandbox: true, liveNetworks: [] },
        concurrency: 100,
        clock,
        logger,
        registry: new Registry(),
        random: () => 0.5,
        ...changes,
      });
      if (isStarted) app.start();
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

    async anApplication() {
      const teamId = newId('team');
      const id = newId('application');
      await bucket.create(applicationEntryKey(id), {
        version: 1,
        team_id: teamId,
        status: 'active',
        scopes: ['payment:create'],
        limits: DEFAULT_LIMITS,
      });
      const [admin, developer, viewer] = (['admin', 'developer', 'viewer'] as const).map((role) =>
        member(role, teamId),
      ) as [Actor, Actor, Actor];
      return { teamId, id, admin, developer, viewer };
    },

    async call(actor, method, request) {
      // Before the call as well: a changed URL may be sent to before the reply is here.
      noteEndpoint(request);
      const reply = await callRpc(client, method, request, { actorToken: await signActor(actor) });
      noteEndpoint(reply);
      return reply;
    },

    anEndpoint(application, url, fields = {}) {
      return harness.call(application.admin, contract.createEndpoint, {
        application_id: application.id,
        environment: 'sandbox',
        url,
        event_types: ALL_TYPES,
        ...fields,
      });
    },

    async publish(event) {
      owned.push(event);
      await publisher.publish(eventSubject(event.type), event, { messageId: event.id });
    },

    async stop() {
      for (const service of services) await service.stop();
      await payments.stop();
      await auditLog.stop();
      await client.close();
      await infra.stop();
    },
  };
  return harness;
}

/** An event of a payment of its own, of this application, as payments publishes it. */
export function anEvent(
  application: Pick<TestApplication, 'teamId' | 'id'>,
  { type = 'payment.succeeded', environment = 'sandbox', at = new Date() }: AnEventOptions = {},
): PaymentEvent {
  const definition = EVENT_TYPES.find((candidate) => candidate.type === type);
  const { application_id: _, ...payment } = (definition as (typeof EVENT_TYPES)[number]).example.data;
  return {
    id: newId('event'),
    type,
    occurred_at: at.toISOString(),
    team_id: application.teamId,
    application_id: application.id,
    environment,
    cause: { type: 'processor', id: 'sandbox', address: null },
    request_id: null,
    data: { ...payment, id: newId('payment'), environment, purpose: 'Bücher – 10 €' },
  };
}

interface AnEventOptions {
  type?: PaymentEventType;
  environment?: 'live' | 'sandbox';
  at?: Date;
}
