import { member } from '@tollgate/bus/test/member';
import { newId } from '@tollgate/contracts/platform/ids';
import { actorAuthor } from '@tollgate/store/audit-author';
import { insertAudited } from '@tollgate/store/audited-records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newApplication } from '../src/applications/application.ts';
import { applicationEntry, keyEntry } from '../src/audit-entry.ts';
import { newApiKey } from '../src/keys/api-key.ts';
import { type Harness, type Service, startHarness } from './harness.ts';

const TEAM_SIZE = 10;
const OTHER_TEAMS = 5;

let harness: Harness;
let service: Service;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService({ isStarted: false });
});
afterAll(() => harness.stop());

const now = new Date('2026-01-01T00:00:00Z');
let lookupIds = 0;

/** Inserts applications with one key each. */
async function insertTeam(teamId: string): Promise<string[]> {
  const { context } = service.app;
  const actor = member('admin', teamId);
  const ids: string[] = [];
  for (let index = 0; index < TEAM_SIZE; index++) {
    const application = newApplication(
      { team_id: teamId, name: `Shop ${index}`, scopes: [], labels: ['env:prod', `shard:${index % 2}`] },
      now,
    );
    const key = newApiKey(
      {
        team_id: teamId,
        application_id: application._id,
        environment: 'live',
        name: `Server ${index}`,
        scopes: null,
        allowed_cidrs: [],
        expires_at: null,
        lookup_id: `${lookupIds++}`.padStart(16, 'A'),
        digest: 'a'.repeat(64),
        pepper_version: '1',
      },
      now,
    );
    const author = actorAuthor(actor);
    const created = applicationEntry('application.created', author)(null, application);
    await insertAudited(context, context.applications, { ...application, slot: index }, created);
    await insertAudited(context, context.apiKeys, key, keyEntry('key.created', author)(null, key));
    ids.push(application._id);
  }
  return ids;
}

/** Documents that MongoDB examines for the queries that `list` sends. */
async function documentsExamined(list: () => Promise<unknown>): Promise<number> {
  const sent: { collection: string; filter: object; sort: object; limit: number }[] = [];
  service.connection.set('debug', (collection: string, method: string, filter: object, options: object) => {
    if (method === 'find') sent.push({ collection, filter, ...(options as { sort: object; limit: number }) });
  });
  await list();
  service.connection.set('debug', false);
  let examined = 0;
  for (const { collection, filter, sort, limit } of sent) {
    const explained = await service.connection
      .collection(collection)
      .find(filter)
      .sort(sort as Record<string, 1 | -1>)
      .limit(limit)
      .explain('executionStats');
    expect(JSON.stringify(explained['queryPlanner'].winningPlan)).not.toContain('COLLSCAN');
    examined += explained['executionStats'].totalDocsExamined;
  }
  expect(sent).toHaveLength(1);
  return examined;
}

it('a list reads only documents of its team, and by label only those with the label', async () => {
  for (let count = 0; count < OTHER_TEAMS; count++) await insertTeam(newId('team'));
  const teamId = newId('team');
  const [applicationId] = await insertTeam(teamId);
  const { context } = service.app;
  const page = { limit: 100, cursor: null };
  const applications = (filter: object) => () => context.applications.list(teamId, filter, page);
  const keys = (filter: object) => () =>
    context.apiKeys.list(teamId, { environment: undefined, ...filter }, page, now);

  expect(await documentsExamined(applications({ name: 'shop' }))).toBe(TEAM_SIZE);
  expect(await documentsExamined(applications({ status: 'archived' }))).toBe(TEAM_SIZE);
  expect(await documentsExamined(applications({ label: 'shard:1' }))).toBe(TEAM_SIZE / 2);
  expect(await documentsExamined(keys({ name: 'server', status: 'active' }))).toBe(TEAM_SIZE);
  expect(await documentsExamined(keys({ application_id: applicationId }))).toBe(1);
});
