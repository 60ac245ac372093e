import { NOTICE_TOPICS, type NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { addMember, createTeamWithOwner, type Person, startHarness } from './harness.ts';

let member: Person;

const harness = await startHarness();
const service = await harness.startService();
const owner = await createTeamWithOwner(harness);
afterAll(() => harness.stop());
beforeEach(async () => {
  member = await addMember(harness, owner, 'admin');
});

const update = (request: { team_mail_topics: NoticeTopic[] }) =>
  harness.call(member.actor, contract.updateProfile, request);
const me = () => harness.call(member.actor, contract.getMe, {});
const members = () => service.connection.collection<{ _id: string }>('members');

it('mail about the team is about every topic until the member chooses', async () => {
  expect(await me()).toMatchObject({ team_mail_topics: NOTICE_TOPICS });
});

it('mail about the team is about the chosen topics', async () => {
  const chosen = { team_mail_topics: ['webhooks', 'audit'] };
  expect(await update({ team_mail_topics: ['audit', 'webhooks'] })).toMatchObject(chosen);
  expect(await me()).toMatchObject(chosen);
});

it('mail about the team is off without a topic', async () => {
  expect(await update({ team_mail_topics: [] })).toMatchObject({ team_mail_topics: [] });
  expect(await update({ team_mail_topics: ['audit'] })).toMatchObject({ team_mail_topics: ['audit'] });
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
