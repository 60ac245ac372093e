import { connectBus } from '@tollgate/bus/connection';
import {
  changeRole,
  endMemberSessions,
  issueActorToken,
  removeMember,
  revokeAllSessions,
} from '@tollgate/contracts/accounts/rpc';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { rpcSubject } from '@tollgate/contracts/platform/rpc-contract';
import { SHARED_SESSION_MS } from '@tollgate/gateway/admin-api/shared-sessions';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember, TestTeam } from '../../support/platform/test-team.ts';

let platform: SharedPlatform;
let team: TestTeam;
let member: TestMember;

beforeAll(async () => {
  platform = await joinSharedPlatform();
});
beforeEach(async () => {
  team = await platform.createTeam();
  member = await team.createMember('developer');
});
afterAll(() => platform?.leave());

/** Creates an application, which requires the developer role, as a part of this page request. */
const create = (pageRequest: string) =>
  platform.admin
    .as(member.session)
    .call(
      ADMIN_ROUTES.createApplication,
      { name: 'Test', scopes: [] },
      { headers: { [HEADERS.pageRequest]: pageRequest } },
    );

it.each([
  {
    change: 'the session has ended',
    take: () => member.call(revokeAllSessions, {}),
    status: 401,
  },
  {
    change: 'an admin has ended all sessions',
    take: () => team.owner.call(endMemberSessions, { member_id: member.id }),
    status: 401,
  },
  {
    change: 'the member was removed',
    take: () => team.owner.call(removeMember, { member_id: member.id }),
    status: 401,
  },
  {
    change: 'the role was lowered',
    take: () => team.owner.call(changeRole, { member_id: member.id, role: 'viewer' }),
    status: 403,
  },
])(
  'once $change, the next page request is rejected, and a repeated one after a second at most',
  async ({ take, status }) => {
    expect((await create('repeated')).status).toBe(201);
    const sharedAt = Date.now();
    await take();
    expect((await create('next')).status).toBe(status);

    let sentAt = 0;
    let latest = 201;
    await eventually('the repeated page request is rejected', async () => {
      const at = Date.now();
      latest = (await create('repeated')).status;
      if (latest === 201) sentAt = at;
      return latest !== 201;
    });
    expect(latest).toBe(status);
    expect(sentAt).toBeLessThan(sharedAt + SHARED_SESSION_MS);
  },
);

it('the calls of a page request cost one exchange, and each has its own id in the audit log', async () => {
  const observer = await connectBus({ url: platform.natsUrl, name: 'observer' });
  let exchanges = 0;
  observer.nats.subscribe(rpcSubject(issueActorToken), {
    callback(_error, message) {
      const { session_token } = message.json<{ session_token: string }>();
      if (session_token === member.session) exchanges += 1;
    },
  });
  await observer.nats.flush();
  const responses = await Promise.all([create('page'), create('page')]);
  await observer.nats.flush();
  await observer.close();
  expect(responses.map(({ status }) => status)).toEqual([201, 201]);
  expect(exchanges).toBe(1);

  const admin = platform.admin.as(team.owner.session);
  const requestIds = responses.map(({ headers }) => headers.get('x-request-id'));
  await eventually('the audit log has both', async () => {
    const { body } = await admin.call(ADMIN_ROUTES.listRecords, { action: 'application.created' });
    const logged = body.data.map(({ context }) => context.request_id);
    return requestIds.every((id) => logged.includes(id));
  });
});
