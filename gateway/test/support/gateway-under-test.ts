import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishText } from '@tollgate/bus/announce';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { type Bucket, openBucket } from '@tollgate/bus/kv';
import {
  type ApplicationEntry,
  applicationEntryKey,
  COMPLETE_ENTRY_KEY,
  type KeyEntry,
  keyEntryKey,
  PRINCIPALS_BUCKET,
} from '@tollgate/contracts/applications/principal';
import { SCOPE_NAMES } from '@tollgate/contracts/applications/scopes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { newId } from '@tollgate/contracts/platform/ids';
import { PAYMENTS_ANNOUNCEMENT_SUBJECT } from '@tollgate/contracts/platform/streams';
import { createLogger } from '@tollgate/runtime/logger';
import { signAnnouncement } from '@tollgate/security/announcement';
import { digestApiKey, generateApiKey } from '@tollgate/security/api-key';
import { parseKeyring } from '@tollgate/security/keyring';
import { createIssuerKeys, type IssuerKeys } from '@tollgate/security/test/issuer-keys';
import { eventually } from '@tollgate/test-kit/eventually';
import { createFakeClock, type FakeClock } from '@tollgate/test-kit/fake-clock';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import { request } from 'undici';
import { readGatewayConfig } from '../../src/config.ts';
import { type GatewayOptions, startGateway } from '../../src/start-gateway.ts';

export const DOCS_BASE_URL = 'http://docs.test/docs';

/** Required because the ports of the listeners are 0. */
export const PUBLISHED_URLS = {
  DOCS_BASE_URL,
  LIVE_API_URL: 'http://live.test',
  SANDBOX_API_URL: 'http://sandbox.test',
  ADMIN_API_URL: 'http://admin.test',
};

const newKey = () => `1:${randomBytes(32).toString('base64')}`;

export interface GatewayUnderTest {
  infra: Infra;
  bus: Bus;
  bucket: Bucket;
  clock: FakeClock;
  urls: Record<Environment, string>;
  adminUrl: string;
  opsUrl: string;
  signingKeys: ReturnType<typeof parseKeyring>;
  issuerKeys: IssuerKeys;
  usageSpoolDir: string;
  /** Returns the entry as applications signs it for this key of the bucket. */
  signEntry(entryKey: string, entry: object): object;
  /** Replaces an entry of the bucket by a signed one. */
  replaceEntry(entryKey: string, change: (entry: Record<string, unknown>) => object): Promise<void>;
  /** The gateway's whole log as text. */
  logged(): string;
  /** Writes an application to the bucket and returns its id. */
  putApplication(entry?: Partial<ApplicationEntry>): Promise<string>;
  /** Writes a key to the bucket and returns its credential. */
  putKey(environment: Environment, entry: Partial<KeyEntry> & { application_id: string }): Promise<string>;
  /** Resolves when the gateway has received everything written so far: a watch delivers in order. */
  settled(): Promise<void>;
  /** Resolves when the gateway has received the announcement. Does not repeat a known one. */
  announce(url: string, options?: { state?: 'serving' | 'draining'; instanceId?: string }): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the whole gateway on free ports, with a real NATS, a bucket that the test fills, and a clock that the test
 * controls.
 */
export async function startGatewayUnderTest({
  env,
  ...options
}: { env?: Record<string, string> } & Pick<
  GatewayOptions,
  'upstreamTimeoutMs' | 'usageWindowMs' | 'adminTimings'
> = {}): Promise<GatewayUnderTest> {
  const infra = await startInfra({ nats: true });
  const issuerKeys = createIssuerKeys();
  const peppers = newKey();
  const signing = newKey();
  const lines: string[] = [];
  const logger = createLogger({
    service: 'gateway',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const clock = createFakeClock();
  const usageSpoolDir = await mkdtemp(join(tmpdir(), 'tollgate-gateway-usage-'));
  const config = readGatewayConfig({
    NATS_URL: infra.natsUrl,
    API_KEY_PEPPERS: peppers,
    INTERNAL_SIGNING_KEYS: signing,
    SIGNING_KEYS: issuerKeys.privateKeys.gateway,
    SIGNER_PUBLIC_KEYS: issuerKeys.publicKeys,
    LIVE_PORT: '0',
    SANDBOX_PORT: '0',
    ADMIN_PORT: '0',
    ...PUBLISHED_URLS,
    USAGE_SPOOL_DIR: usageSpoolDir,
    ...env,
  });
  const bus = await connectBus({ url: infra.natsUrl, name: 'test' });
  const bucket = await openBucket(bus, PRINCIPALS_BUCKET, { create: true });
  await bucket.create(COMPLETE_ENTRY_KEY, true);
  const gateway = await startGateway(config, {
    logger,
    clock,
    ...options,
  });
  await gateway.connected;
  const urls = { live: gateway.liveUrl, sandbox: gateway.sandboxUrl };
  const signingKeys = parseKeyring(signing);
  const announcedStates = new Map<string, string>();

  function signEntry(entryKey: string, entry: object): object {
    const { signature: _, ...unsigned } = entry as { signature?: unknown };
    return issuerKeys.signers.applications.sign('principal', unsigned, entryKey);
  }

  async function replaceEntry(
    entryKey: string,
    change: (entry: Record<string, unknown>) => object,
  ): Promise<void> {
    const stored = await bucket.get(entryKey);
    const changed = change({ ...(stored?.value as object) });
    await bucket.update(entryKey, signEntry(entryKey, changed), stored?.revision ?? 0);
  }

  async function putApplication(entry: Partial<ApplicationEntry> = {}): Promise<string> {
    const id = newId('application');
    const limit = { requests_per_second: 10_000, burst: 20_000 };
    const entryKey = applicationEntryKey(id);
    const written = {
      version: 1,
      team_id: newId('team'),
      status: 'active',
      scopes: SCOPE_NAMES,
      limits: { live: limit, sandbox: limit },
      require_idempotency_key: { live: false, sandbox: false },
      deleted_at: null,
      ...entry,
    };
    await bucket.create(entryKey, signEntry(entryKey, written));
    return id;
  }

  async function putKey(
    environment: Environment,
    entry: Partial<KeyEntry> & { application_id: string },
  ): Promise<string> {
    const { credential, lookupId } = generateApiKey(environment);
    const entryKey = keyEntryKey(lookupId);
    const written = {
      version: 1,
      id: newId('apiKey'),
      environment,
      digest: digestApiKey(credential, parseKeyring(peppers).current.key).toString('hex'),
      pepper_version: '1',
      pepper_fingerprint: null,
      scopes: SCOPE_NAMES,
      allowed_cidrs: [],
      expires_at: null,
      status: 'active',
      ...entry,
    };
    await bucket.create(entryKey, signEntry(entryKey, written));
    return credential;
  }

  async function settled(): Promise<void> {
    const marker = await putKey('live', { application_id: await putApplication() });
    await eventually('the gateway knows the latest key', async () => {
      const { statusCode, body } = await request(`${urls.live}/v1/payments/x`, {
        headers: { authorization: `Bearer ${marker}` },
      });
      const text = await body.text();
      return statusCode !== 401 && !text.includes('API keys cannot be checked');
    });
  }

  async function announce(
    url: string,
    { state = 'serving', instanceId = url }: { state?: 'serving' | 'draining'; instanceId?: string } = {},
  ): Promise<void> {
    if (announcedStates.get(instanceId) === state) return;
    announcedStates.set(instanceId, state);
    const seen = lines.length;
    const announcement = {
      instance_id: instanceId,
      url,
      state,
      sent_at: new Date(clock.now()).toISOString(),
    };
    // Core NATS stores nothing: repeat the announcement until the gateway has subscribed.
    await eventually('the gateway received the announcement', async () => {
      publishText(bus, PAYMENTS_ANNOUNCEMENT_SUBJECT, signAnnouncement(signingKeys, announcement));
      await bus.nats.flush();
      return lines
        .slice(seen)
        .some((line) => line.includes('payments instance announced') && line.includes(instanceId));
    });
  }

  return {
    infra,
    bus,
    bucket,
    clock,
    urls,
    adminUrl: gateway.adminUrl,
    opsUrl: gateway.opsUrl,
    signingKeys,
    issuerKeys,
    usageSpoolDir,
    signEntry,
    replaceEntry,
    logged: () => lines.join(''),
    putApplication,
    putKey,
    settled,
    announce,
    async stop() {
      await gateway.stop();
      await bus.close();
      await infra.stop();
      await rm(usageSpoolDir, { recursive: true, force: true });
    },
  };
}
