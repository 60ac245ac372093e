import { openBucket } from '@tollgate/bus/kv';
import { newId } from '@tollgate/contracts/ids';
import { applicationEntryKey, DEFAULT_LIMITS, PRINCIPALS_BUCKET } from '@tollgate/contracts/principal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApplicationDirectory } from '../src/endpoints/application-directory.ts';
import { type Harness, startHarness } from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

it('an application that is still on its way here when it is asked for is found', async () => {
  const bucket = await openBucket(harness.client, PRINCIPALS_BUCKET, { create: false });
  const [teamId, applicationId] = [newId('team'), newId('application')];
  const key = applicationEntryKey(applicationId);
  const finding = createApplicationDirectory(harness.client).find(teamId, applicationId);
  // Over the same connection, one after the other: the first look is over by then.
  for (let look = 0; look < 4; look += 1) expect(await bucket.get(key)).toBeNull();
  await bucket.create(key, {
    version: 1,
    team_id: teamId,
    status: 'active',
    scopes: ['payment:create'],
    limits: DEFAULT_LIMITS,
  });
  expect(await finding).toEqual({ isArchived: false });
});
