import { member } from '@tollgate/bus/test/member';
import { newId } from '@tollgate/contracts/platform/ids';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newApplication } from '../src/applications/application.ts';
import { listApplications } from '../src/applications/list-applications.ts';
import { applicationAuditEntry, keyAuditEntry } from '../src/audit-entry.ts';
import { newApiKey } from '../src/keys/api-key.ts';
import { listKeys } from '../src/keys/list-keys.ts';
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
  const { applications, apiKeys } = service.app.context;
  const actor = member('admin', teamId);
  const ids: string[] = [];
  for (let index = 0; index < TEAM_SIZE; index++) {
    const application = newApplication(
      { teamId, name: `Shop ${index}`, scopes: [], labels: { shard: `${index % 2}`, env: 'prod' } },
      now,
    );
    const key = newApiKey(
      {
        teamId,
        applicationId: application.id,
        environment: 'live',
        name: `Server ${index}`,
        scopes: null,
        allowedCidrs: [],
        expiresAt: null,
        lookupId: `${lookupIds++}`.padStart(16, 'A'),
        digest: 'a'.repeat(64),
        pepperVersion: '1',
      },
      now,
    );
    await applications.insert(
      application,
      signAuditEntry(
        harness.issuerKeys.signers.applications,
        applicationAuditEntry('application.created', actorAuthor(actor), null, application),
      ),
    );
    await apiKeys.insert(
      key,
      signAuditEntry(
        harness.issuerKeys.signers.applications,
        keyAuditEntry('key.created', actorAuthor(actor), null, key),
      ),
    );
    ids.push(application.id);
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
  const actor = member('viewer', teamId);
  const { context } = service.app;
  const page = { limit: 100, cursor: null };
  const applications = (filter: object) => () => listApplications(context, actor, { ...page, ...filter });
  const keys = (filter: object) => () => listKeys(context, actor, { ...page, ...filter });

  expect(await documentsExamined(applications({ name: 'shop' }))).toBe(TEAM_SIZE);
  expect(await documentsExamined(applications({ status: 'archived' }))).toBe(TEAM_SIZE);
  expect(await documentsExamined(applications({ label: 'shard:1' }))).toBe(TEAM_SIZE / 2);
  expect(await documentsExamined(keys({ name: 'server', status: 'active' }))).toBe(TEAM_SIZE);
  expect(await documentsExamined(keys({ applicationId }))).toBe(1);
});
