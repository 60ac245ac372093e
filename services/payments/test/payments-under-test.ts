import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { connectBus } from '@tollgate/bus/connection';
import type { Actor, MemberActor } from '@tollgate/contracts/accounts/actor';
import type { Principal } from '@tollgate/contracts/applications/principal';
import type { Payment } from '@tollgate/contracts/payments/payment';
import {
  approveSettlement,
  getPayment,
  getTimeline,
  listPayments,
  settlePayment,
  simulatePayment,
  summarizePayments,
} from '@tollgate/contracts/payments/rpc';
import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Role } from '@tollgate/contracts/platform/roles';
import { rpcSubject } from '@tollgate/contracts/platform/rpc-contract';
import { createLogger } from '@tollgate/runtime/logger';
import { createMetrics } from '@tollgate/runtime/metrics';
import { createUnverifiedCounter } from '@tollgate/runtime/unverified-messages';
import { createActorSigner, createActorVerifier } from '@tollgate/security/actor-token';
import { parseKeyring } from '@tollgate/security/keyring';
import { encodePrincipal, signPrincipal } from '@tollgate/security/principal-signature';
import { createIssuerKeys } from '@tollgate/security/test/issuer-keys';
import { createAuditOutbox } from '@tollgate/store/audit-outbox';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { prepareDatabase } from '@tollgate/store/schema/prepare-database';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import type { InjectOptions } from 'fastify';
import type { Connection } from 'mongoose';
import { buildApp, type PaymentsApp } from '../src/app.ts';
import type { AppConfig, AppDeps } from '../src/context.ts';
import type { PaymentDocument } from '../src/lifecycle/payment.ts';
import { NO_PROCESSORS } from '../src/processors/routing/processors-file.ts';
import { AUDITED_COLLECTIONS, paymentsSchema } from '../src/schema.ts';
import { ownerOfPrincipal } from '../src/store/payment-owner.ts';

import { settleDue } from './settle-due.ts';
export const START_TIMEOUT_MS = 120_000;

export type PaymentsUnderTest = Awaited<ReturnType<typeof startPaymentsUnderTest>>;

/** The service on a real NATS server and a real wire store, with a clock that the test moves. Nothing periodic runs. */
export async function startPaymentsUnderTest(
  changes: Partial<AppConfig> = {},
  clock = createFakeClock(),
  logger = createLogger({ service: 'payments', level: 'silent' }),
) {
  const infra = await startInfra();
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const issuerKeys = createIssuerKeys();
  const config: AppConfig = {
    signer: issuerKeys.signers.payments,
    historyKeys: parseKeyring(`1:${randomBytes(32).toString('base64')}`),
    host: '127.0.0.1',
    port: 0,
    advertisedUrl: '',
    docsBaseUrl: 'http://localhost:8080/docs',
    internalSigningKeys: parseKeyring(`1:${randomBytes(32).toString('base64')}`),
    callbackHost: '127.0.0.1',
    callbackPort: null,
    processorsFile: NO_PROCESSORS,
    defaultProcessor: { live: 'manual', sandbox: 'sandbox' },
    sandboxSettlementDelayMs: 5_000,
    sandboxApiUrl: 'http://localhost:8081',
    sandboxPageKeys: parseKeyring(`1:${randomBytes(32).toString('base64')}`),
    stuckAfterMs: HOUR_MS,
    ...changes,
    paymentExpiryMs: { live: 7 * 24 * HOUR_MS, sandbox: 24 * HOUR_MS },
  };
  const connection = await connect(infra, logger);
  const collection = connection.collection('payments');
  const bus = await connectBus({ url: infra.natsUrl, name: 'payments-test', logger });
  const registry = createMetrics('payments');
  const auditOf = (connection: Connection) =>
    createAuditOutbox({
      connection,
      collections: AUDITED_COLLECTIONS,
      // The audit log is unavailable, so that every entry stays in its document.
      publish: () => Promise.reject(new Error('the audit log is unavailable')),
      confirm: () => Promise.reject(new Error('the audit log is unavailable')),
      clock,
      logger,
    });
  const countUnverified = createUnverifiedCounter(registry);
  const actorPublicKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const verifyActor = createActorVerifier([actorPublicKey], clock);
  const audit = auditOf(connection);
  const app = buildApp({
    connection,
    bus,
    audit,
    config,
    verifyActor,
    countUnverified,
    clock,
    compareClock: async () => null,
    logger,
    registry,
  });
  await prepareDatabase(connection, paymentsSchema, { maxDocuments: 0, release: 'test' });
  const sign = createActorSigner(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), clock);
  const subjects = [
    getPayment,
    approveSettlement,
    getTimeline,
    listPayments,
    settlePayment,
    simulatePayment,
    summarizePayments,
  ].map(rpcSubject);

  const send = (principal: Principal, request: TestRequest, instance: PaymentsApp = app) =>
    instance.http.inject(signedRequest(config, clock.now(), principal, request));
  const others: PaymentsApp[] = [];

  return {
    app,
    actorPublicKey,
    audit,
    bus,
    clock,
    config,
    infra,
    issuerKeys,
    logger,
    registry,
    connection,
    /** Signs an actor token for every RPC that members call. */
    signActor: (actor: Actor) => sign(actor, subjects),
    /** The stored documents, bypassing the service's own queries. */
    collection,
    /** Number of the application's payments in both environments. */
    storedCount: async ({ application_id }: Principal): Promise<number> =>
      (await collection.find({ application_id }).toArray()).length,
    /** A second instance of the service on the same store, like another process, also on a machine with another clock. */
    anotherInstance: async (
      clockOfMachine: Pick<AppDeps, 'clock' | 'compareClock'> = { clock, compareClock: async () => null },
    ): Promise<{ app: PaymentsApp; stop(): Promise<void> }> => {
      const ownConnection = await connect(infra, logger);
      const other = buildApp({
        connection: ownConnection,
        bus,
        audit: auditOf(ownConnection),
        config,
        verifyActor,
        countUnverified,
        ...clockOfMachine,
        logger,
        registry: createMetrics('payments'),
      });
      others.push(other);
      return {
        app: other,
        stop: () => ownConnection.close(),
      };
    },
    /** A second instance, on a machine whose clock is ahead of the others. */
    async instanceAhead(ms: number) {
      const ahead = createFakeClock(clock.now() + ms);
      const compareClock = async () =>
        ahead.now() > clock.now() ? 'the clock of this machine is ahead' : null;
      return { clock: ahead, ...(await this.anotherInstance({ clock: ahead, compareClock })) };
    },
    /** Sends a request as a gateway does, with the signed principal. */
    send,
    /** Creates a payment over 10.00 EUR, with additional fields where a test needs them. */
    async create(principal: Principal, fields: object = {}): Promise<Payment> {
      const body = { amount: 1_000, currency: 'EUR', ...fields };
      const response = await send(principal, { method: 'POST', path: '/v1/payments', body });
      if (response.statusCode !== 201) throw new Error(`Not created: ${response.body}`);
      return response.json<Payment>();
    },
    async read(principal: Principal, id: string): Promise<Payment> {
      return (await send(principal, { method: 'GET', path: `/v1/payments/${id}` })).json<Payment>();
    },
    /** The whole document, with history and settlement. */
    async stored(principal: Principal, id: string): Promise<PaymentDocument> {
      const document = await app.store.find(ownerOfPrincipal(principal), id);
      if (!document) throw new Error(`${id} is not stored`);
      return document;
    },
    /** Advances the clock and lets a worker settle the payments that are then due. */
    async settleAfter(ms: number): Promise<void> {
      clock.advance(ms);
      await settleDue(app);
      // The workers of another instance that is served may have claimed what is due.
      await Promise.all(others.flatMap(({ lanes }) => lanes).map((lane) => lane.idle()));
    },
    async stop() {
      await app.http.close();
      await app.callbackHttp.close();
      await app.closeProcessors();
      await app.outbox.drain();
      await bus.close();
      await connection.close();
      await infra.stop();
    },
  };
}

function connect(infra: Infra, logger: ReturnType<typeof createLogger>) {
  return connectMongoDB({
    url: infra.mongodbUrl,
    database: 'tollgate_payments',
    appName: 'payments-test',
    logger,
  });
}

export interface TestRequest {
  method: 'GET' | 'HEAD' | 'POST';
  path: string;
  key?: string;
  /** A new one by default. */
  requestId?: string;
  /** An object is sent as JSON, a string or bytes unchanged. */
  body?: object | string | Buffer;
  headers?: Record<string, string>;
}

/** The client address of every request, reserved for documentation (RFC 5737). */
export const CLIENT_ADDRESS = '192.0.2.7';

export function signedRequest(
  config: AppConfig,
  nowMs: number,
  principal: Principal,
  { method, path, key, requestId = newId('request'), body, headers }: TestRequest,
): InjectOptions {
  const bytes = bytesOf(body);
  const encoded = encodePrincipal({ ...principal, client_address: CLIENT_ADDRESS });
  const signed = { method, path, requestId, idempotencyKey: key ?? '', body: bytes };
  return {
    method,
    url: path,
    headers: {
      'x-request-id': requestId,
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      [HEADERS.principal]: encoded,
      [HEADERS.signature]: signPrincipal(config.internalSigningKeys, encoded, signed, nowMs),
      // Tests decide when a processor is asked.
      prefer: 'wait=0',
      ...headers,
    },
    ...(body !== undefined && { payload: bytes }),
  };
}

function bytesOf(body: TestRequest['body']): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A key of a new application, with all scopes. */
export function aPrincipal(changes: Partial<Principal> = {}): Principal {
  return {
    team_id: newId('team'),
    application_id: newId('application'),
    key_id: newId('apiKey'),
    environment: 'sandbox',
    scopes: ['payment:create', 'payment:read', 'payment:cancel'],
    ...changes,
  };
}

export function anActor(principal: Principal, role: Role): MemberActor {
  return aMember(principal.team_id, role);
}

export function aMember(teamId: string, role: Role = 'viewer'): MemberActor {
  return {
    type: 'member',
    member_id: newId('member'),
    team_id: teamId,
    role,
    address: '203.0.113.7',
    session_id: newId('session'),
    // Recent at any time of a test's clock.
    authenticated_at: '2999-01-01T00:00:00.000Z',
    name: 'Ada',
    user_agent: 'test',
    request_id: null,
  };
}
