import { randomBytes } from 'node:crypto';
import { type Bucket, openBucket } from '@tollgate/bus/kv';
import { callRpc, serveRpc } from '@tollgate/bus/rpc';
import { serveAuditLog } from '@tollgate/bus/test/stand-in-audit-log';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { ApiKey, Application, CreatedApiKey } from '@tollgate/contracts/applications/application';
import {
  type ApplicationEntry,
  applicationEntryKey,
  type KeyEntry,
  keyEntryKey,
  PRINCIPALS_BUCKET,
} from '@tollgate/contracts/applications/principal';
import * as contract from '@tollgate/contracts/applications/rpc';
import { hasPayments } from '@tollgate/contracts/payments/rpc';
import { hasEndpoints } from '@tollgate/contracts/webhooks/rpc';
import { digestApiKey, parseApiKey } from '@tollgate/security/api-key';
import { type Keyring, parseKeyring } from '@tollgate/security/keyring';
import type { RunningService } from '@tollgate/service/start-service';
import { type ServiceHarness, startServiceHarness } from '@tollgate/service/test/service-harness';
import { eventually } from '@tollgate/test-kit/eventually';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import type { Static } from 'typebox';
import type { App } from '../src/app.ts';
import { LONGEST_CREATION_MS } from '../src/applications/delete-application.ts';
import { service } from '../src/service.ts';

export type Service = RunningService<App>;

/** What the stand-ins of payments and webhooks reply about applications. */
export interface Uses {
  /** Ids of applications that have payments. */
  payments: Set<string>;
  /** Ids of applications that have webhook endpoints. */
  endpoints: Set<string>;
  /** Runs before each reply. */
  beforeReply: () => Promise<unknown>;
}

export interface Harness extends ServiceHarness {
  uses: Uses;
  peppers: Keyring;
  /** Environment variables of a service process with the same servers and secrets. */
  processEnv: Record<string, string>;
  /** Starts a new instance. With `isStarted: false` it stays idle, for tests that call its parts directly. */
  startService(options?: { isStarted: boolean }): Promise<Service>;
  bucket(): Promise<Bucket>;
  keyEntry(key: ApiKey): Promise<KeyEntry | null>;
  applicationEntry(application: Application): Promise<ApplicationEntry | null>;
}

export async function startHarness(): Promise<Harness> {
  const uses: Uses = { payments: new Set(), endpoints: new Set(), beforeReply: async () => undefined };
  const harness = await startServiceHarness({
    name: 'applications',
    clock: createFakeClock(),
    standIns: [
      serveAuditLog,
      (client, logger) =>
        serveRpc(
          client,
          hasPayments,
          async ({ application_id }) => {
            await uses.beforeReply();
            return { has_payments: uses.payments.has(application_id) };
          },
          { logger },
        ),
      (client, logger) =>
        serveRpc(
          client,
          hasEndpoints,
          async ({ application_id }) => {
            await uses.beforeReply();
            return { has_endpoints: uses.endpoints.has(application_id) };
          },
          { logger },
        ),
    ],
  });
  const pepperText = `1:${randomBytes(32).toString('base64')}`;
  const processEnv = { ...harness.env, API_KEY_PEPPERS: pepperText };
  const bucket = () => openBucket(harness.client, PRINCIPALS_BUCKET, { create: false });

  return {
    ...harness,
    uses,
    peppers: parseKeyring(pepperText),
    processEnv,
    bucket,

    async startService({ isStarted } = { isStarted: true }) {
      const running = await harness.start(service, processEnv, { isStarted });
      if (isStarted) await eventually('the bucket is filled', () => running.app.reconciler.hasReconciled());
      return running;
    },

    async keyEntry(key) {
      const stored = await (await bucket()).get(keyEntryKey(key.lookup_id));
      return (stored?.value ?? null) as KeyEntry | null;
    },

    async applicationEntry(application) {
      const stored = await (await bucket()).get(applicationEntryKey(application.id));
      return (stored?.value ?? null) as ApplicationEntry | null;
    },
  };
}

export function createApplication(
  harness: Harness,
  actor: Actor,
  fields: Partial<Static<typeof contract.createApplication.request>> = {},
): Promise<Application> {
  return harness.call(actor, contract.createApplication, {
    name: 'Shop',
    scopes: ['payment:create', 'payment:read'],
    ...fields,
  });
}

export async function createKey(
  harness: Harness,
  actor: Actor,
  application: Application,
  fields: Partial<Static<typeof contract.createKey.request>> = {},
): Promise<CreatedApiKey & { secret: string }> {
  const { secret, ...key } = await harness.call(actor, contract.createKey, {
    application_id: application.id,
    name: 'Server',
    environment: 'sandbox',
    ...fields,
  });
  if (secret === null) throw new Error('The secret of a new key is missing.');
  return { ...key, secret };
}

/** Archives an application, and waits until it can be deleted. */
export async function archiveForDeletion(
  harness: Harness,
  actor: Actor,
  application_id: string,
): Promise<void> {
  await harness.call(actor, contract.archiveApplication, { application_id });
  harness.clock.advance(LONGEST_CREATION_MS);
}

export const PLACE_OF_LEAK = 'https://github.com/example/shop/blob/main/config.yml';

/** Reports a key like the gateway. `digests` replaces the proof. Returns whether the key is known. */
export async function reportLeak(
  harness: Harness,
  credential: string,
  more: { digests?: Record<string, string>; url?: string } = {},
): Promise<boolean> {
  const { version, key } = harness.peppers.current;
  const reply = await callRpc(harness.client, contract.reportLeakedKey, {
    lookup_id: parseApiKey(credential)?.lookupId ?? '',
    digests: { [version]: digestApiKey(credential, key).toString('hex') },
    url: PLACE_OF_LEAK,
    source: 'commit',
    ...more,
  });
  return reply.is_known;
}
