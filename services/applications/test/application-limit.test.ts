import { member } from '@tollgate/bus/test/member';
import { APPLICATION_LIMITS } from '@tollgate/contracts/application';
import { newId } from '@tollgate/contracts/ids';
import * as contract from '@tollgate/contracts/rpc/applications';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** A team with this many applications, as an earlier release stored them if they have no slots. */
async function aTeamWith(count: number, { withSlots }: { withSlots: boolean }) {
  const actor = member('admin');
  const first = await createApplication(harness, actor);
  const document = await stored().findOne({ _id: first.id });
  if (!document) throw new Error('The application is not stored.');
  const { slot: _slot, ...withoutSlot } = document;
  await stored().deleteOne({ _id: first.id });
  const documents = Array.from({ length: count }, (_, index) => ({
    ...withoutSlot,
    _id: newId('application'),
    ...(withSlots && { slot: index + 1 }),
  }));
  await stored().insertMany(documents);
  return { actor, ids: documents.map(({ _id }) => _id) };
}

describe('the limit of applications', () => {
  it('is exact for concurrent creations', async () => {
    const { actor } = await aTeamWith(MAX - 1, { withSlots: true });
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => createApplication(harness, actor)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await stored().countDocuments({ team_id: actor.team_id })).toBe(MAX);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject(REJECTED);
  });

  it('counts applications of an earlier release, and lets a team keep those above it', async () => {
    const { actor, ids } = await aTeamWith(MAX + 1, { withSlots: false });
    await expect(createApplication(harness, actor)).rejects.toMatchObject(REJECTED);
    const [id = ''] = ids;
    const renamed = await harness.call(actor, contract.renameApplication, {
      application_id: id,
      name: 'Kept',
    });
    expect(renamed.name).toBe('Kept');
  });

  it('counts archived applications, which can be restored', async () => {
    const { actor, ids } = await aTeamWith(MAX, { withSlots: true });
    await harness.call(actor, contract.archiveApplication, { application_id: ids[0] ?? '' });
    await expect(createApplication(harness, actor)).rejects.toMatchObject(REJECTED);
  });

  it('does not count deleted applications', async () => {
    const { actor, ids } = await aTeamWith(MAX, { withSlots: true });
    const [application_id = ''] = ids;
    await archiveForDeletion(harness, actor, application_id);
    await harness.call(actor, contract.deleteApplication, { application_id });
    expect((await createApplication(harness, actor)).status).toBe('active');
    await expect(createApplication(harness, actor)).rejects.toMatchObject(REJECTED);
  });

  it('is of one team', async () => {
    await aTeamWith(MAX, { withSlots: true });
    expect((await createApplication(harness, member('admin'))).status).toBe('active');
  });
});
