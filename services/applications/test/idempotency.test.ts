import { member } from '@tollgate/bus/test/member';
import {
  APPLICATION_LIMITS,
  type Application,
  type CreatedApiKey,
} from '@tollgate/contracts/applications/application';
import * as contract from '@tollgate/contracts/applications/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { describeIdempotency } from '@tollgate/service/test/idempotency';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApplication, createKey, type Harness, type Service, startHarness } from './harness.ts';

let harness: Harness;
let service: Service;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
});
afterAll(() => harness.stop());

const common = () => ({ harness, idempotency: service.app.context.idempotency, actor: member('admin') });
const WITH_KEY = { idempotencyKey: 'k' };

describeIdempotency<Application>('creating an application', async () => ({
  ...common(),
  request: { name: 'Shop', scopes: ['payment:read'] },
  other: { name: 'Store', scopes: ['payment:read'] },
  method: contract.createApplication,
  newId: () => newId('application'),
  idOf: ({ id }) => id,
  replayOf: (application) => application,
}));

describeIdempotency<CreatedApiKey>('creating an API key', async () => {
  const { actor, ...more } = common();
  const application = await createApplication(harness, actor);
  const request = { application_id: application.id, name: 'Server', environment: 'live' as const };
  return {
    ...more,
    actor,
    request,
    other: { ...request, environment: 'sandbox' },
    method: contract.createKey,
    newId: () => newId('apiKey'),
    idOf: ({ id }) => id,
    replayOf: (key) => ({ ...key, secret: null }),
  };
});

describeIdempotency<CreatedApiKey>('rotating an API key', async () => {
  const { actor, ...more } = common();
  const key = await createKey(harness, actor, await createApplication(harness, actor));
  return {
    ...more,
    actor,
    request: { key_id: key.id, overlap_s: 60 },
    other: { key_id: key.id, overlap_s: 0 },
    method: contract.rotateKey,
    newId: () => newId('apiKey'),
    idOf: ({ id }) => id,
    replayOf: (successor) => ({ ...successor, secret: null }),
  };
});

it('a replay returns the resource as it is now', async () => {
  const actor = member('admin');
  const request = { name: 'Shop', scopes: [] };
  const { id } = await harness.call(actor, contract.createApplication, request, WITH_KEY);
  await harness.call(actor, contract.renameApplication, { application_id: id, name: 'Store' });
  const replay = await harness.call(actor, contract.createApplication, request, WITH_KEY);
  expect(replay).toMatchObject({ id, name: 'Store', version: 2 });
});

it('a replay succeeds although another key could not be created now', async () => {
  const actor = member('admin');
  const application = await createApplication(harness, actor);
  const request = { application_id: application.id, name: 'Server', environment: 'sandbox' as const };
  const { id } = await harness.call(actor, contract.createKey, request, WITH_KEY);
  const room = APPLICATION_LIMITS.activeKeysPerApplication - 1;
  await Promise.all(Array.from({ length: room }, () => createKey(harness, actor, application)));
  await expect(createKey(harness, actor, application)).rejects.toThrow('conflict');
  expect(await harness.call(actor, contract.createKey, request, WITH_KEY)).toMatchObject({ id });
});

it('a rotation that a crash interrupted between its writes is completed by its replay', async () => {
  const actor = member('admin');
  const key = await createKey(harness, actor, await createApplication(harness, actor));
  const { apiKeys } = service.app.context;
  const { completeRotation } = apiKeys;
  apiKeys.completeRotation = () => Promise.reject(new Error('crashed'));
  const rotation = { key_id: key.id, overlap_s: 0 };
  const crashed = harness.call(actor, contract.rotateKey, rotation, WITH_KEY);
  await expect(crashed).rejects.toThrow('internal');
  apiKeys.completeRotation = completeRotation;
  const successor = await harness.call(actor, contract.rotateKey, rotation, WITH_KEY);
  const old = await harness.call(actor, contract.getKey, { key_id: key.id });
  expect(successor).toMatchObject({ id: old.rotated_to, secret: null });
});

it('a rejected request binds no key', async () => {
  const actor = member('developer');
  const application = await createApplication(harness, actor);
  const request = { application_id: application.id, name: 'Server' };
  const live = { ...request, environment: 'live' as const };
  const rejected = harness.call(actor, contract.createKey, live, WITH_KEY);
  await expect(rejected).rejects.toThrow('forbidden');
  const sandbox = { ...request, environment: 'sandbox' as const };
  expect((await harness.call(actor, contract.createKey, sandbox, WITH_KEY)).secret).toContain('tg_sandbox_');
});
