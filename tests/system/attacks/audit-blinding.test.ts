import { type Bus, connectBus } from '@tollgate/bus/connection';
import { listDeadLetters } from '@tollgate/bus/dead-letters';
import { createPublisher } from '@tollgate/bus/publisher';
import { callRpc } from '@tollgate/bus/rpc';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { confirmEntries } from '@tollgate/contracts/audit/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { auditSubject } from '@tollgate/contracts/platform/streams';
import { auditEntryDigest, signAuditEntry } from '@tollgate/security/audit-entry';
import { createSigner } from '@tollgate/security/signature';
import { parseSigningKeys } from '@tollgate/security/signing-keys';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminCaller, AdminResponse } from '../../support/platform/admin-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

let platform: SharedPlatform;
let team: TestTeam;
let owner: AdminCaller;
/** A process that may publish on AUDIT. */
let bus: Bus;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  owner = platform.admin.as(team.owner.session);
  bus = await connectBus({ url: platform.natsUrl, name: 'attacker' });
});
afterAll(async () => {
  await bus?.close();
  await platform?.leave();
});

describe('a name that could hide records', () => {
  const NUL = 'Shop\u0000';
  const attempts: [what: string, pointer: string, send: () => Promise<AdminResponse<unknown>>][] = [
    ['of a member with a NUL', '/name', () => owner.call(ADMIN_ROUTES.updateProfile, { name: '\u0000' })],
    [
      'of a member with an escape sequence',
      '/name',
      () => owner.call(ADMIN_ROUTES.updateProfile, { name: 'Ada\u001b[2J' }),
    ],
    [
      'of a member with 100,000 characters',
      '/name',
      () => owner.call(ADMIN_ROUTES.updateProfile, { name: 'x'.repeat(100_000) }),
    ],
    [
      'of a team',
      '/name',
      () => owner.call(ADMIN_ROUTES.renameTeam, { team_id: team.id, name: NUL }, { ifMatch: '*' }),
    ],
    [
      'of an application',
      '/name',
      () => owner.call(ADMIN_ROUTES.createApplication, { name: NUL, scopes: [] }),
    ],
    ['of an API token', '/name', () => owner.call(ADMIN_ROUTES.createToken, { name: NUL, role: 'viewer' })],
  ];
  it.each(attempts)('%s is rejected with its field', async (_what, pointer, send) => {
    const { status, problem } = await send();
    expect(status).toBe(400);
    expect(problem).toMatchObject({ code: 'invalid-request', errors: [{ pointer }] });
  });
});

it('a poison entry beside good ones goes to the dead letters alone, and its service may drop it', async () => {
  const entry = (changes: AuditEntry['changes'] = {}): AuditEntry => ({
    id: newId('audit'),
    occurred_at: new Date().toISOString(),
    team_id: team.id,
    environment: null,
    ...SYSTEM_AUTHOR,
    action: 'key.revoked',
    target: { type: 'key', id: newId('apiKey'), name: null },
    application_id: null,
    changes,
  });
  const good = range(20).map(() => entry());
  const poison = [
    entry({ 'a\u0000b': { before: null, after: 1 } }),
    entry({ note: { before: null, after: 'x'.repeat(200_000) } }),
    entry({ note: { before: null, after: nested(150) } }),
  ];
  // As applications would, if it had a defect: an entry without its signature is rejected before.
  const signer = createSigner(parseSigningKeys('applications', platform.signing.applications));
  const { publish } = createPublisher(bus);
  await Promise.all(
    [...good.slice(0, 10), ...poison, ...good.slice(10)].map((each) =>
      publish(auditSubject(each.action), signAuditEntry(signer, each), { messageId: each.id }),
    ),
  );
  const ids = [...good, ...poison].map(({ id }) => id);
  const entries = [...good, ...poison].map((each) => ({
    id: each.id,
    team_id: each.team_id,
    digest: auditEntryDigest(each),
  }));
  const confirmed = async () => callRpc(bus, confirmEntries, { entries });
  await eventually('every entry is stored or rejected', async () => {
    const { stored, rejected } = await confirmed();
    return stored.length + rejected.length === ids.length;
  });
  const { stored, rejected } = await confirmed();
  expect(stored.toSorted()).toEqual(good.map(({ id }) => id).toSorted());
  expect(rejected.toSorted()).toEqual(poison.map(({ id }) => id).toSorted());
  await eventually('the dead letters have the poison', async () => {
    const dead = await deadEntries();
    return poison.every(({ id }) => dead.has(id));
  });
  const dead = await deadEntries();
  expect(good.filter(({ id }) => dead.has(id))).toEqual([]);
});

async function deadEntries(): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { consumer, body } of listDeadLetters(bus)) {
    if (consumer === 'audit') ids.add((JSON.parse(body) as AuditEntry).id);
  }
  return ids;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { in: nested(levels - 1) };
}
