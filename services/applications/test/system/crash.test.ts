import { isDeepStrictEqual } from 'node:util';
import { consume } from '@tollgate/bus/consumer';
import { member } from '@tollgate/bus/test/member';
import { keyEntryKey } from '@tollgate/contracts/applications/principal';
import * as contract from '@tollgate/contracts/applications/rpc';
import { AuditEntry } from '@tollgate/contracts/audit/audit';
import { eventually } from '@tollgate/test-kit/eventually';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyEntry } from '../../src/principals/principal-entry.ts';
import { createApplication, createKey, type Harness, type Service, startHarness } from '../harness.ts';

const KILLS = 2;
const WORKERS = 8;
/** A call that the kill interrupts gets no reply. */
const CALL_DEADLINE_MS = 2_000;

const MAIN = new URL('../../src/main.ts', import.meta.url);

let harness: Harness;
/** Reads the stores. It is not started, so only the process under test converges them. */
let observer: Service;

beforeAll(async () => {
  harness = await startHarness();
  observer = await harness.startService({ isStarted: false });
});
afterAll(() => harness.stop());

describe(`a service that is killed ${KILLS} times in the middle of its work`, () => {
  it(`a service that is killed ${KILLS} times in the middle of its work loses no acknowledged change and no audit entry, and leaves bucket and MongoDB equal`, async () => {
    const actor = member('admin');
    const answered: { action: string; keyId: string; lookupId: string }[] = [];
    let isOver = false;
    let running = startProcessUnderTest(MAIN, harness.processEnv);
    await running.ready();
    const application = await createApplication(harness, actor);
    const caller: Harness = {
      ...harness,
      call: (by, method, request) => harness.call(by, method, request, { deadlineMs: CALL_DEADLINE_MS }),
    };

    /** Repeatedly creates a key, rotates it, and revokes the successor. Work without a reply is abandoned. */
    async function work(): Promise<void> {
      while (!isOver) {
        try {
          const key = await createKey(caller, actor, application);
          answered.push({ action: 'key.created', keyId: key.id, lookupId: key.lookup_id });
          const rotation = { key_id: key.id, overlap_s: 0 };
          const successor = await caller.call(actor, contract.rotateKey, rotation);
          answered.push({ action: 'key.rotated', keyId: key.id, lookupId: key.lookup_id });
          await caller.call(actor, contract.revokeKey, { key_id: successor.id });
          answered.push({ action: 'key.revoked', keyId: successor.id, lookupId: successor.lookup_id });
        } catch {
          // Killed in the meantime, or not up again yet.
        }
      }
    }

    const workers = Array.from({ length: WORKERS }, work);
    for (let kill = 1; kill <= KILLS; kill++) {
      const before = answered.length;
      await eventually('work is in flight', () => answered.length > before + 3 * WORKERS);
      await running.end('SIGKILL');
      running = startProcessUnderTest(MAIN, harness.processEnv);
      await running.ready();
    }
    isOver = true;
    await Promise.all(workers);

    const { apiKeys } = observer.app.context;
    await eventually('no rotation is half done', async () => {
      return (await apiKeys.findAllRotating(1)).length === 0;
    });
    const outbox = observer.connection.collection('api_keys');
    await eventually('every audit entry is published', async () => {
      return (await outbox.countDocuments({ 'outbox.0': { $exists: true } })) === 0;
    });

    const bucket = await harness.bucket();
    const lookupIds = await apiKeys.listLookupIdsOfAllTeams('', 10_000);
    for (const key of await apiKeys.findOfAllTeams(lookupIds)) {
      await eventually(`the bucket shows ${key._id} as MongoDB does`, async () => {
        const { signature: _, ...entry } = {
          ...((await bucket.get(keyEntryKey(key.lookup_id)))?.value as object & { signature: unknown }),
        };
        return isDeepStrictEqual(entry, keyEntry(key, harness.peppers));
      });
    }

    const audited = new Set<string>();
    const consumer = consume(harness.client, {
      stream: 'AUDIT',
      durable: 'crash-test',
      logger: harness.logger,
      schema: AuditEntry,
      handle: async ({ body: { action, target } }) => {
        audited.add(`${action} ${target.id}`);
      },
    });
    await eventually('every completed change is audited', () =>
      answered.every(({ action, keyId }) => audited.has(`${action} ${keyId}`)),
    );
    await consumer.stop();
    for (const { action, lookupId } of answered) {
      const [key] = await apiKeys.findOfAllTeams([lookupId]);
      if (action === 'key.revoked') expect(key?.revoked_at).not.toBeNull();
      if (action === 'key.rotated') expect(key?.rotated_to).not.toBeNull();
      expect(key).toBeDefined();
    }
    expect(await running.end('SIGTERM')).toEqual([0, null]);
  }, 180_000);
});
