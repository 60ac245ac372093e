import { rejection } from '@tollgate/bus/test/rejection';
import { NOTICE_TOPICS } from '@tollgate/contracts/notice-topics';
import * as contract from '@tollgate/contracts/rpc/accounts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  addMember,
  createTeamWithOwner,
  type Harness,
  type Person,
  type Service,
  startHarness,
} from './harness.ts';

let harness: Harness;
let service: Service;
let owner: Person;
let member: Person;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
  owner = await createTeamWithOwner(harness);
});
afterAll(() => harness.stop());
beforeEach(async () => {
  member = await addMember(harness, owner, 'admin');
});

const update = (request: { team_mail?: boolean; team_mail_topics?: (typeof NOTICE_TOPICS)[number][] }) =>
  harness.call(member.actor, contract.updateProfile, request);
const me = () => harness.call(member.actor, contract.getMe, {});
const members = () => service.connection.collection<{ _id: string }>('members');

it('mail about the team is about every topic until the member chooses', async () => {
  expect(await me()).toMatchObject({ team_mail: true, team_mail_topics: NOTICE_TOPICS });
});

it('mail about the team is about the chosen topics', async () => {
  const chosen = { team_mail: true, team_mail_topics: ['webhooks', 'audit'] };
  expect(await update({ team_mail_topics: ['audit', 'webhooks'] })).toMatchObject(chosen);
  expect(await me()).toMatchObject(chosen);
});

it('mail about the team is off without a topic, and is about every topic once it is turned on', async () => {
  expect(await update({ team_mail_topics: [] })).toMatchObject({ team_mail: false, team_mail_topics: [] });
  expect(await update({ team_mail: true })).toMatchObject({
    team_mail: true,
    team_mail_topics: NOTICE_TOPICS,
  });
});

it('mail about the team keeps its topics when a client that does not know them turns it off and on', async () => {
  await update({ team_mail_topics: ['payments'] });
  expect(await update({ team_mail: false })).toMatchObject({ team_mail: false, team_mail_topics: [] });
  expect(await update({ team_mail: true })).toMatchObject({
    team_mail: true,
    team_mail_topics: ['payments'],
  });
});

it('mail about the team is not chosen in both forms at once', async () => {
  const problem = await rejection(update({ team_mail: true, team_mail_topics: [] }));
  expect(problem).toMatchObject({ code: 'invalid-request' });
  expect(JSON.stringify(problem)).toContain('/team_mail');
});

it('mail about the team keeps a topic of a later release that the member left out', async () => {
  await members().updateOne({ _id: member.id }, { $set: { muted_mail_topics: ['audit', 'later'] } });
  await harness.call(member.actor, contract.updateProfile, { name: 'Grace' });
  expect(await members().findOne({ _id: member.id })).toMatchObject({
    name: 'Grace',
    muted_mail_topics: ['audit', 'later'],
  });
  expect((await me()).team_mail_topics).not.toContain('audit');
});
