import { type Bus, connectBus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import { getMe } from '@tollgate/contracts/accounts/rpc';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { createApplication, listApplications } from '@tollgate/contracts/applications/rpc';
import { listPayments } from '@tollgate/contracts/payments/rpc';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { rpcSubject } from '@tollgate/contracts/platform/rpc-contract';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';
import { countUnverified } from '../../support/platform/unverified-messages.ts';

let platform: SharedPlatform;
let team: TestTeam;
/** The attacker can read everything on NATS and publish anything. */
let attacker: Bus;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  attacker = await connectBus({ url: platform.natsUrl, name: 'attacker' });
});
afterAll(async () => {
  await attacker?.close();
  await platform?.leave();
});

/** Lists applications as the owner of a team, and returns the actor token with which the gateway did it. */
async function captureActorToken(headers: Record<string, string> = {}): Promise<string> {
  const captured: string[] = [];
  const subscription = attacker.nats.subscribe(rpcSubject(listApplications), {
    callback: (_error, message) => {
      captured.push(message.headers?.get(HEADERS.actor) ?? '');
    },
  });
  await attacker.nats.flush();
  const response = await platform.admin
    .as(team.owner.session)
    .call(ADMIN_ROUTES.listApplications, {}, { headers });
  expect(response.status).toBe(200);
  await eventually('the token is captured', () => captured.length > 0);
  subscription.unsubscribe();
  return captured[0] as string;
}

const rejected = { details: expect.objectContaining({ code: 'forbidden' }) };

it('replaying a captured actor token for another call of the same service is rejected', async () => {
  const actorToken = await captureActorToken();
  const before = await countUnverified(platform.opsUrls.applications, 'actor_token');
  await expect(
    callRpc(attacker, createApplication, { name: 'Stolen', scopes: [] }, { actorToken }),
  ).rejects.toMatchObject(rejected);
  expect(await countUnverified(platform.opsUrls.applications, 'actor_token')).toBe(before + 1);
  // It is valid for the call that it was issued for, until it expires.
  const { data } = await callRpc(attacker, listApplications, {}, { actorToken });
  expect(data.map(({ name }) => name)).not.toContain('Stolen');
});

it('replaying a captured actor token for a call of another service is rejected', async () => {
  const actorToken = await captureActorToken();
  await expect(callRpc(attacker, listPayments, {}, { actorToken })).rejects.toMatchObject(rejected);
});

it('replaying a captured actor token of a page request for another call of the page is rejected', async () => {
  const actorToken = await captureActorToken({ [HEADERS.pageRequest]: 'captured' });
  const [token = ''] = actorToken.split('~');
  const { body } = await platform.admin
    .as(team.owner.session)
    .call(ADMIN_ROUTES.getMe, {}, { headers: { [HEADERS.pageRequest]: 'captured' } });
  expect(body.id).toBe(team.owner.id);
  for (const replayed of [actorToken, token]) {
    await expect(callRpc(attacker, getMe, {}, { actorToken: replayed })).rejects.toMatchObject(rejected);
    await expect(callRpc(attacker, listPayments, {}, { actorToken: replayed })).rejects.toMatchObject(
      rejected,
    );
  }
  const { data } = await callRpc(attacker, listApplications, {}, { actorToken });
  expect(data).toEqual([]);
});
