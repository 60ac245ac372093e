import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { parsePublicKey, publicKeyOf, type SigningKey, type VerifyingKey } from '@tollgate/audit-log/keys';
import { createPublisher } from '@tollgate/bus/publisher';
import { servePayments } from '@tollgate/bus/test/stand-in-payments';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { mayWriteAction } from '@tollgate/contracts/audit/audit-issuer';
import { EVENT_TYPES } from '@tollgate/contracts/payments/event-types';
import type { PaymentCause, PaymentEvent, PaymentEventType } from '@tollgate/contracts/payments/events';
import { newId } from '@tollgate/contracts/platform/ids';
import { ISSUERS, type Issuer } from '@tollgate/contracts/platform/signature';
import { auditSubject, eventSubject } from '@tollgate/contracts/platform/streams';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import type { RunningService } from '@tollgate/service/start-service';
import { type ServiceHarness, startServiceHarness } from '@tollgate/service/test/service-harness';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { type App, type AppDeps, appDeps, buildApp } from '../src/app.ts';
import { service } from '../src/service.ts';

export type Service = RunningService<App>;

export interface Harness extends ServiceHarness {
  /** Keys that verify the signatures of the service. */
  publicKeys: VerifyingKey[];
  /** Environment variables of a service process with the same servers and secrets. */
  processEnv: Record<string, string>;
  /** Events that the payments stand-in returns, oldest first. */
  owned: PaymentEvent[];
  /** Starts a new instance. With `isStarted: false` it stays idle, for tests that call its parts directly. */
  startService(options?: Partial<AppDeps> & { isStarted?: boolean }): Promise<Service>;
  /** Publishes an entry like the outbox of a service. */
  publish(entry: AuditEntry): Promise<void>;
  /** Publishes any value on the stream AUDIT. */
  publishUnchecked(entry: AuditEntry): Promise<void>;
  /** Adds the event to the payments stand-in, and publishes it on the stream. */
  publishEvent(event: PaymentEvent): Promise<void>;
}

/** The clock starts at the real time, because ids contain it. */
export async function startHarness(): Promise<Harness> {
  const owned: PaymentEvent[] = [];
  const harness = await startServiceHarness({
    name: 'audit',
    clock: createFakeClock(Date.now()),
    logLevel: 'warn',
    standIns: [
      (client, logger, { signers }) =>
        servePayments(client, owned, logger, (event) => signers.payments.sign('payment_event', event)),
    ],
  });
  const key: SigningKey = { version: 1, privateKey: generateKeyPairSync('ed25519').privateKey };
  const processEnv = {
    ...harness.env,
    AUDIT_SIGNING_KEYS: `1:${key.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')}`,
  };
  const publisher = createPublisher(harness.client);
  const publishUnchecked = (entry: AuditEntry) =>
    publisher.publish(auditSubject(entry.action), entry, { messageId: randomUUID() });
  const signerOf = ({ action }: AuditEntry) => {
    const issuer = ISSUERS.find((candidate) => mayWriteAction(candidate, action)) as Issuer;
    return harness.issuerKeys.signers[issuer];
  };

  return {
    ...harness,
    publicKeys: [parsePublicKey(publicKeyOf(key).public_key, key.version)],
    processEnv,
    owned,
    startService: ({ isStarted, ...changes } = {}) =>
      harness.start(
        { ...service, build: (context) => buildApp({ ...appDeps(context), ...changes }) },
        processEnv,
        { isStarted },
      ),
    publish: (entry) => publishUnchecked(signAuditEntry(signerOf(entry), entry)),
    publishUnchecked,

    async publishEvent(event) {
      const signed = harness.issuerKeys.signers.payments.sign('payment_event', event);
      owned.push(event);
      await publisher.publish(eventSubject(event.type), signed, { messageId: event.id });
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

/** An event of a new payment, as payments publishes it. */
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
