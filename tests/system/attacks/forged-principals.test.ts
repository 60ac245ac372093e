import { connectBus } from '@tollgate/bus/connection';
import { type Bucket, openBucket } from '@tollgate/bus/kv';
import { callRpc } from '@tollgate/bus/rpc';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import {
  type ApplicationEntry,
  applicationEntryKey,
  type KeyEntry,
  keyEntryKey,
  PRINCIPALS_BUCKET,
} from '@tollgate/contracts/applications/principal';
import { getApplication, revokeKey } from '@tollgate/contracts/applications/rpc';
import { rpcSubject } from '@tollgate/contracts/platform/rpc-contract';
import { parseApiKey } from '@tollgate/security/api-key';
import { createIssuerKeys } from '@tollgate/security/test/issuer-keys';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';
import { countUnverified } from '../../support/platform/unverified-messages.ts';

let platform: SharedPlatform;
let bus: Awaited<ReturnType<typeof connectBus>>;
let bucket: Bucket;
let team: TestTeam;
let victim: TestTeam;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  // The attacker may publish anything to NATS, and has no key of a service.
  bus = await connectBus({ url: platform.natsUrl, name: 'attacker' });
  bucket = await openBucket(bus, PRINCIPALS_BUCKET, { create: false });
  [team, victim] = [await platform.createTeam(), await platform.createTeam()];
});
afterAll(async () => {
  await bus?.close();
  await platform?.leave();
});

const keyOf = (application: TestApplication) =>
  keyEntryKey(parseApiKey(application.keys.sandbox)?.lookupId ?? '');

/** 404: accepted, because payment "x" does not exist. */
const statusOf = async ({ keys }: TestApplication) =>
  (await apiClient(platform.baseUrl.sandbox, keys.sandbox).read('x')).status;

async function overwrite(entryKey: string, value: object): Promise<void> {
  const stored = await bucket.get(entryKey);
  if (stored) await bucket.update(entryKey, value, stored.revision);
  else await bucket.create(entryKey, value);
}

/** Writes the entry, and resolves to the status of the application's key once the gateway has judged the entry. */
async function attack(application: TestApplication, entryKey: string, value: object, reason: string) {
  const before = await countUnverified(platform.opsUrls.gateway, 'principal', reason);
  await overwrite(entryKey, value);
  await eventually(
    'the gateway counts the forged entry',
    async () => (await countUnverified(platform.opsUrls.gateway, 'principal', reason)) > before,
  );
  return statusOf(application);
}

describe('forging entries of the principals bucket', () => {
  it('a key that no service signed is not accepted', async () => {
    const application = await platform.createApplication(team);
    const entry = (await bucket.get(keyOf(application)))?.value as KeyEntry & { signature?: unknown };
    const { signature: _, ...unsigned } = entry;
    expect(await attack(application, keyOf(application), { ...unsigned, version: 9 }, 'unsigned')).toBe(401);
  });

  it('a key with more scopes than applications signed is not accepted', async () => {
    const application = await platform.createApplication(team);
    const entry = (await bucket.get(keyOf(application)))?.value as KeyEntry;
    const forged = { ...entry, allowed_cidrs: [], expires_at: '2099-01-01T00:00:00.000Z' };
    expect(await attack(application, keyOf(application), forged, 'altered')).toBe(401);
  });

  it('a key cannot be moved to an application of another team', async () => {
    const [application, target] = [
      await platform.createApplication(team),
      await platform.createApplication(victim),
    ];
    const entry = (await bucket.get(keyOf(application)))?.value as KeyEntry;
    const forged = { ...entry, application_id: target.id };
    expect(await attack(application, keyOf(application), forged, 'altered')).toBe(401);
  });

  it('a request that names an entry as the subject of its reply does not make applications overwrite it', async () => {
    const application = await platform.createApplication(team);
    const entryKey = keyOf(application);
    const before = await bucket.get(entryKey);
    const reply = `$KV.${PRINCIPALS_BUCKET}.${entryKey}`;
    bus.nats.publish(rpcSubject(getApplication), '{}', { reply });
    // Served by the same process, after the request before.
    await expect(callRpc(bus, getApplication, { application_id: application.id })).rejects.toThrow();
    expect(await bucket.get(entryKey)).toEqual(before);
    expect(await statusOf(application)).toBe(404);
  });

  it('the signed entry of one application is not accepted as that of another', async () => {
    const [application, target] = [
      await platform.createApplication(team),
      await platform.createApplication(victim),
    ];
    const copied = (await bucket.get(applicationEntryKey(target.id)))?.value as ApplicationEntry;
    const entryKey = applicationEntryKey(application.id);
    expect(await attack(application, entryKey, { ...copied, version: copied.version + 9 }, 'altered')).toBe(
      401,
    );
    expect(await attack(application, entryKey, copied, 'altered')).toBe(401);
  });

  it('an entry that the attacker signed is not accepted', async () => {
    const application = await platform.createApplication(team);
    const entry = (await bucket.get(keyOf(application)))?.value as KeyEntry & { signature?: unknown };
    const { signature: _, ...unsigned } = entry;
    const { signers } = createIssuerKeys();
    const entryKey = keyOf(application);
    const forged = signers.applications.sign('principal', { ...unsigned, version: 9 }, entryKey);
    expect(await attack(application, entryKey, forged, 'altered')).toBe(401);
  });

  it('a revoked key is not restored by the entry that applications once signed for it', async () => {
    const application = await platform.createApplication(team);
    const entryKey = keyOf(application);
    const active = (await bucket.get(entryKey))?.value as KeyEntry;
    await team.owner.call(revokeKey, { key_id: application.keyIds.sandbox });
    await eventually('the key is revoked', async () => (await statusOf(application)) === 401);
    expect(await attack(application, entryKey, active, 'outdated')).toBe(401);
  });

  it('a revoked key is not restored by way of a deletion or of nonsense', async () => {
    const application = await platform.createApplication(team);
    const entryKey = keyOf(application);
    const active = (await bucket.get(entryKey))?.value as KeyEntry;
    await team.owner.call(revokeKey, { key_id: application.keyIds.sandbox });
    await eventually('the key is revoked', async () => (await statusOf(application)) === 401);

    await bucket.delete(entryKey, (await bucket.get(entryKey))?.revision ?? 0);
    expect(await attack(application, entryKey, active, 'outdated')).toBe(401);
    expect(await attack(application, entryKey, { nonsense: true }, 'unsigned')).toBe(401);
    expect(await attack(application, entryKey, active, 'outdated')).toBe(401);
  });

  it('a deleted application does not lend its keys to anyone', async () => {
    const application = await platform.createApplication(team);
    const entryKey = applicationEntryKey(application.id);
    await bucket.delete(entryKey, (await bucket.get(entryKey))?.revision ?? 0);
    await eventually('the key is rejected', async () => (await statusOf(application)) === 401);
  });

  it('webhooks does not create an endpoint for an application that was moved to the own team', async () => {
    const target = await platform.createApplication(victim);
    const entryKey = applicationEntryKey(target.id);
    const entry = (await bucket.get(entryKey))?.value as ApplicationEntry;
    await overwrite(entryKey, { ...entry, team_id: team.id });
    const owner = platform.admin.as(team.owner.session);
    const response = await owner.call(ADMIN_ROUTES.createEndpoint, {
      application_id: target.id,
      environment: 'sandbox',
      url: 'https://example.com/hook',
      event_types: ['payment.created'],
    });
    expect(response.problem).toMatchObject({ code: 'not-found' });
    expect(await countUnverified(platform.opsUrls.webhooks, 'principal', 'altered')).toBeGreaterThan(0);
  });
});
