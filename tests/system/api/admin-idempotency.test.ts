import { randomUUID } from 'node:crypto';
import { ADMIN_ROUTES, type AdminRouteName } from '@tollgate/contracts/admin-api/routes';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinSharedPlatform } from '../../support/platform/shared-platform.ts';
import type { Scene } from './admin-requests/prepared-request.ts';
import { PREPARE } from './admin-requests/requests.ts';

/** Why a creating route takes no idempotency key. */
const WITHOUT_KEY: { [Name in AdminRouteName]?: string } = {
  setUp: 'succeeds once per installation',
  signIn: 'its response is the token, and an unused session expires',
  startSingleSignOn: 'its response has the token, and an unused authorization expires',
  finishSingleSignOn: 'succeeds once per authorization',
  createPasskeyChallenge: 'an unused challenge expires',
  createReauthenticationChallenge: 'an unused challenge expires',
  startPasskey: 'an unused challenge expires',
  signInWithPasskey: 'succeeds once per challenge',
  createPasskey: 'succeeds once per challenge',
  addSingleSignOnDomain: 'adding a domain again changes nothing',
  createDeviceAuthorization: 'its response has the code, and an unused one expires',
  acceptInvitation: 'succeeds once per invitation',
  startTotp: 'replaces the secret of an earlier request',
};

const CREATING = (Object.keys(ADMIN_ROUTES) as AdminRouteName[]).filter((name) => {
  const { method, status } = ADMIN_ROUTES[name];
  return method === 'POST' && status === 201;
});

let scene: Scene;

beforeAll(async () => {
  const platform = await joinSharedPlatform();
  const team = await platform.createTeam();
  scene = { platform, team, application: await platform.createApplication(team) };
});
afterAll(() => scene?.platform.leave());

it('every creating route takes an idempotency key, or states why it takes none', () => {
  const withoutKey = CREATING.filter((name) => !ADMIN_ROUTES[name].rpc.idempotent);
  expect(withoutKey.toSorted()).toEqual(Object.keys(WITHOUT_KEY).toSorted());
});

describe.each(CREATING.filter((name) => ADMIN_ROUTES[name].rpc.idempotent))('%s', (name) => {
  it('an admin operation creates one resource for one idempotency key, and returns its secret once', async () => {
    const { platform, team } = scene;
    const member = name === 'createTeam' ? platform.installationAdmin : team.owner;
    const prepared = await PREPARE[name](scene, { environment: 'sandbox', caller: { team, member } });
    const headers = { [HEADERS.idempotencyKey]: randomUUID() };
    const send = () =>
      platform.admin.as(member.session).call(ADMIN_ROUTES[name], prepared.request as never, { headers });

    const first = await send();
    expect(first).toMatchObject({ status: 201, problem: null });
    expect(first.headers.get(HEADERS.idempotentReplayed)).toBeNull();
    const replay = await send();
    expect(replay).toMatchObject({ status: 201, problem: null });
    expect(replay.headers.get(HEADERS.idempotentReplayed)).toBe('true');
    expect(replay.headers.get('location')).toBe(first.headers.get('location'));
    expect(idsIn(replay.body)).toEqual(idsIn(first.body));
    expect(secretsIn(replay.body).filter((secret) => secret !== null)).toEqual([]);
    expect(secretsIn(first.body)).not.toContain(null);
  });
});

type Member = [name: string, value: unknown];

function membersOf(body: unknown): Member[] {
  return Object.entries(body as object).flatMap(([name, value]): Member[] =>
    value !== null && typeof value === 'object' ? [[name, value], ...membersOf(value)] : [[name, value]],
  );
}

const idsIn = (body: unknown) => membersOf(body).filter(([name]) => name === 'id');
const secretsIn = (body: unknown) =>
  membersOf(body)
    .filter(([name]) => name === 'secret' || name === 'token')
    .map(([, value]) => value);
