import { member } from '@tollgate/bus/test/member';
import { APPLICATION_LIMITS } from '@tollgate/contracts/applications/application';
import * as contract from '@tollgate/contracts/applications/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  archiveForDeletion,
  createApplication,
  type Harness,
  type Service,
  startHarness,
} from './harness.ts';

const MAX = APPLICATION_LIMITS.applicationsPerTeam;
const REJECTED = { details: { code: 'conflict', detail: expect.stringContaining(`limit of ${MAX}`) } };

let harness: Harness;
let service: Service;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
});
afterAll(() => harness.stop());

const stored = () => service.connection.collection<{ _id: string; slot?: number }>('applications');

async function aTeamWith(count: number) {
  const actor = member('admin');
  const first = await createApplication(harness, actor);
  const document = await stored().findOne({ _id: first.id });
  if (!document) throw new Error('The application is not stored.');
  await stored().deleteOne({ _id: first.id });
  const documents = Array.from({ length: count }, (_, index) => ({
    ...document,
    _id: newId('application'),
    slot: index + 1,
  }));
  await stored().insertMany(documents);
  return { actor, ids: documents.map(({ _id }) => _id) };
}

it('the limit of applications is exact for concurrent creations', async () => {
  const { actor } = await aTeamWith(MAX - 1);
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, () => createApplication(harness, actor)),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await stored().countDocuments({ team_id: actor.team_id })).toBe(MAX);
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject(REJECTED);
});

it('the limit of applications counts archived applications, which can be restored', async () => {
  const { actor, ids } = await aTeamWith(MAX);
  await harness.call(actor, contract.archiveApplication, { application_id: ids[0] ?? '' });
  await expect(createApplication(harness, actor)).rejects.toMatchObject(REJECTED);
});

it('the limit of applications does not count deleted applications', async () => {
  const { actor, ids } = await aTeamWith(MAX);
  const [application_id = ''] = ids;
  await archiveForDeletion(harness, actor, application_id);
  await harness.call(actor, contract.deleteApplication, { application_id });
  expect((await createApplication(harness, actor)).status).toBe('active');
  await expect(createApplication(harness, actor)).rejects.toMatchObject(REJECTED);
});

it('the limit of applications is of one team', async () => {
  await aTeamWith(MAX);
  expect((await createApplication(harness, member('admin'))).status).toBe('active');
});
