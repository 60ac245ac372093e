import { randomBytes } from 'node:crypto';
import { openBucket } from '@tollgate/bus/kv';
import { createPublisher } from '@tollgate/bus/publisher';
import { member } from '@tollgate/bus/test/member';
import { serveAuditLog } from '@tollgate/bus/test/stand-in-audit-log';
import { servePayments } from '@tollgate/bus/test/stand-in-payments';
import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { DEFAULT_IDEMPOTENCY_KEY_REQUIREMENT } from '@tollgate/contracts/applications/idempotency-key-requirement';
import {
  type ApplicationEntry,
  applicationEntryKey,
  PRINCIPALS_BUCKET,
} from '@tollgate/contracts/applications/principal';
import { DEFAULT_LIMITS } from '@tollgate/contracts/applications/rate-limit';
import { EVENT_TYPES } from '@tollgate/contracts/payments/event-types';
import type { PaymentEvent, PaymentEventType } from '@tollgate/contracts/payments/events';
import { newId } from '@tollgate/contracts/platform/ids';
import { eventSubject } from '@tollgate/contracts/platform/streams';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import type { WebhookEndpointWithSecret } from '@tollgate/contracts/webhooks/webhook';
import type { Clock } from '@tollgate/runtime/clock';
import { type Keyring, parseKeyring } from '@tollgate/security/keyring';
import type { RunningService } from '@tollgate/service/start-service';
import { type ServiceHarness, startServiceHarness } from '@tollgate/service/test/service-harness';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import type { Static } from 'typebox';
import { type App, buildApp } from '../src/app.ts';
import type { AppDeps } from '../src/context.ts';
import { appDeps, service } from '../src/service.ts';
import { createEndpointBook } from './endpoint-book.ts';
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts';

export type Service = RunningService<App>;

/** An application, with a member of its team for each relevant role. */
export interface TestApplication {
  teamId: string;
  id: string;
  admin: MemberActor;
  developer: MemberActor;
  viewer: MemberActor;
}

export interface Harness extends ServiceHarness {
  encryptionKeys: Keyring;
  /** Environment variables of a service process with the same servers and secrets. */
  processEnv: Record<string, string>;
  /** Events that the payments stand-in returns, oldest first. */
  owned: PaymentEvent[];
  /** Starts a new instance. With `isStarted: false` it stays idle, for tests that call its parts directly. */
  startService(options?: Partial<AppDeps> & { isStarted?: boolean }): Promise<Service>;
  /** Adds an application, in a new team unless a team is given. `more` are fields of its principal. */
  anApplication(teamId?: string, more?: Partial<ApplicationEntry>): Promise<TestApplication>;
  /** Creates an endpoint that subscribes to every event type, in the sandbox unless `fields` override it. */
  anEndpoint(
    application: TestApplication,
    url: string,
    fields?: Partial<Static<typeof contract.createEndpoint.request>>,
  ): Promise<WebhookEndpointWithSecret>;
  /** Starts a receiver that accepts only requests signed for an endpoint of this harness with its URL. */
  startReceiver(options?: Omit<ReceiverOptions, 'verify'>): Promise<Receiver>;
  /** Adds the event to the payments stand-in, and publishes it on the stream. */
  publish(event: PaymentEvent): Promise<void>;
}

export const ALL_TYPES = EVENT_TYPES.map(({ type }) => type);

interface HarnessOptions {
  /** The clock of the processes that sign, unless it is the harness's. */
  signingClock?: Clock;
}

/** The clock starts at the real time, because receivers check the age of a signature. */
export async function startHarness({ signingClock }: HarnessOptions = {}): Promise<Harness> {
  const clock = createFakeClock(Date.now());
  const endpoints = createEndpointBook(signingClock ?? clock);
  const owned: PaymentEvent[] = [];
  const shared = await startServiceHarness({
    name: 'webhooks',
    clock,
    standIns: [
      serveAuditLog,
      (client, logger, { signers }) =>
        servePayments(client, owned, logger, (event) =>
          event.signature ? event : signers.payments.sign('payment_event', event),
        ),
    ],
  });
  const keyText = `1:${randomBytes(32).toString('base64')}`;
  const processEnv = {
    ...shared.env,
    WEBHOOK_ENCRYPTION_KEYS: keyText,
    WEBHOOKS_ALLOW_PRIVATE_NETWORKS: 'true',
  };
  const publisher = createPublisher(shared.client);
  const bucket = await openBucket(shared.client, PRINCIPALS_BUCKET, { create: true });

  const harness: Harness = {
    ...shared,
    encryptionKeys: parseKeyring(keyText),
    processEnv,
    owned,

    startService: ({ isStarted, ...changes } = {}) =>
      shared.start(
        { ...service, build: (context) => buildApp({ ...appDeps(context), random: () => 0.5, ...changes }) },
        processEnv,
        { isStarted },
      ),

    async anApplication(teamId = newId('team'), more = {}) {
      const id = newId('application');
      const entryKey = applicationEntryKey(id);
      const entry: ApplicationEntry = {
        version: 1,
        team_id: teamId,
        status: 'active',
        scopes: ['payment:create'],
        limits: DEFAULT_LIMITS,
        require_idempotency_key: DEFAULT_IDEMPOTENCY_KEY_REQUIREMENT,
        deleted_at: null,
        ...more,
      };
      const { signers } = shared.issuerKeys;
      await bucket.create(entryKey, signers.applications.sign('principal', entry, entryKey));
      const [admin, developer, viewer] = (['admin', 'developer', 'viewer'] as const).map((role) =>
        member(role, teamId),
      ) as [MemberActor, MemberActor, MemberActor];
      return { teamId, id, admin, developer, viewer };
    },

    async call(actor, method, request, options) {
      // Also before the call: deliveries may reach a changed URL before the reply arrives.
      endpoints.note(request);
      const reply = await shared.call(actor, method, request, options);
      endpoints.note(reply);
      return reply;
    },

    async anEndpoint(application, url, fields = {}) {
      const { secret, ...endpoint } = await harness.call(application.admin, contract.createEndpoint, {
        application_id: application.id,
        environment: 'sandbox',
        url,
        event_types: ALL_TYPES,
        ...fields,
      });
      if (secret === null) throw new Error('The secret of a new endpoint is missing.');
      return { ...endpoint, secret };
    },

    startReceiver: (options = {}) => startReceiver({ ...options, verify: endpoints.verify }),

    async publish(event) {
      const signed = shared.issuerKeys.signers.payments.sign('payment_event', event);
      owned.push(event);
      await publisher.publish(eventSubject(event.type), signed, { messageId: event.id });
    },
  };
  return harness;
}

/** An event of a new payment of this application, as payments publishes it. */
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
