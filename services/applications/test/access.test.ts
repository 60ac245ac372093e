import { member } from '@tollgate/bus/test/member';
import { rejection } from '@tollgate/bus/test/rejection';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import { type Access, type AdminRoute, roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { ApiKey, Application } from '@tollgate/contracts/applications/application';
import { DEFAULT_LIMITS } from '@tollgate/contracts/applications/rate-limit';
import * as contract from '@tollgate/contracts/applications/rpc';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { newId } from '@tollgate/contracts/platform/ids';
import { ROLES, type Role } from '@tollgate/contracts/platform/roles';
import type { RpcContract } from '@tollgate/contracts/platform/rpc-contract';
import type { Static } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication, createKey, type Harness, startHarness } from './harness.ts';

/** The resources of one team that a call may name. */
interface Subject {
  application: Application;
  key: ApiKey;
}

type Call = (actor: Actor, subject: Subject) => Promise<unknown>;

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
  await harness.startService();
});
afterAll(() => harness.stop());

const limits = { ...DEFAULT_LIMITS, live: { requests_per_second: 1, burst: 1 } };

/** One valid call of every method, for keys of the given environment. */
function callsAbout(environment: Environment): Record<string, Call> {
  return {
    create: (actor) => createApplication(harness, actor),
    get: (actor, { application }) =>
      harness.call(actor, contract.getApplication, { application_id: application.id }),
    list: (actor) => harness.call(actor, contract.listApplications, {}),
    rename: (actor, { application }) =>
      harness.call(actor, contract.renameApplication, { application_id: application.id, name: 'Store' }),
    set_scopes: (actor, { application }) =>
      harness.call(actor, contract.setScopes, { application_id: application.id, scopes: ['payment:read'] }),
    set_limits: (actor, { application }) =>
      harness.call(actor, contract.setLimits, { application_id: application.id, limits }),
    set_labels: (actor, { application }) =>
      harness.call(actor, contract.setLabels, { application_id: application.id, labels: { env: 'prod' } }),
    set_idempotency_key_requirement: (actor, { application }) => {
      const current = application.require_idempotency_key;
      return harness.call(actor, contract.setIdempotencyKeyRequirement, {
        application_id: application.id,
        require_idempotency_key: { ...current, [environment]: !current[environment] },
      });
    },
    archive: (actor, { application }) =>
      harness.call(actor, contract.archiveApplication, { application_id: application.id }),
    restore: (actor, { application }) =>
      harness.call(actor, contract.restoreApplication, { application_id: application.id }),
    // The role suffices if only the application, which is not archived, is a reason to reject the call.
    delete: (actor, { application }) =>
      harness.call(actor, contract.deleteApplication, { application_id: application.id }).catch((error) => {
        if (error.details?.code !== 'conflict') throw error;
      }),
    create_key: (actor, { application }) => createKey(harness, actor, application, { environment }),
    list_keys: (actor, { application }) =>
      harness.call(actor, contract.listKeys, { application_id: application.id }),
    get_key: (actor, { key }) => harness.call(actor, contract.getKey, { key_id: key.id }),
    update_key: (actor, { key }) =>
      harness.call(actor, contract.updateKey, { key_id: key.id, name: 'Worker' }),
    rotate_key: (actor, { key }) =>
      harness.call(actor, contract.rotateKey, { key_id: key.id, overlap_s: 60 }),
    revoke_key: (actor, { key }) => harness.call(actor, contract.revokeKey, { key_id: key.id }),
    handle_leak: (actor, { key }) => harness.call(actor, contract.handleLeak, { key_id: key.id }),
    leaked_key_policy: (actor) => harness.call(actor, contract.getLeakedKeyPolicy, {}),
    set_leaked_key_policy: (actor) => harness.call(actor, contract.setLeakedKeyPolicy, { policy: 'flag' }),
  };
}

/** The access of each method, as documentation and dashboard state it. */
const accessOf = new Map<string, Access>(
  Object.values<AdminRoute>(ADMIN_ROUTES)
    .filter(({ rpc }) => rpc.service === 'applications')
    .map(({ rpc, access }) => [rpc.method, access]),
);

/** The lowest role for each method, with an active key of the environment in the application. */
const LEAST_ROLE: Record<Environment, Record<string, Role>> = {
  sandbox: {
    create: 'developer',
    get: 'viewer',
    list: 'viewer',
    rename: 'developer',
    set_scopes: 'developer',
    set_limits: 'admin',
    set_labels: 'developer',
    set_idempotency_key_requirement: 'developer',
    archive: 'developer',
    restore: 'developer',
    delete: 'developer',
    create_key: 'developer',
    list_keys: 'viewer',
    get_key: 'viewer',
    update_key: 'developer',
    rotate_key: 'developer',
    revoke_key: 'developer',
    handle_leak: 'developer',
    leaked_key_policy: 'viewer',
    set_leaked_key_policy: 'admin',
  },
  live: {
    create: 'developer',
    get: 'viewer',
    list: 'viewer',
    rename: 'developer',
    set_scopes: 'admin',
    set_limits: 'admin',
    set_labels: 'developer',
    set_idempotency_key_requirement: 'admin',
    archive: 'admin',
    restore: 'admin',
    delete: 'admin',
    create_key: 'admin',
    list_keys: 'viewer',
    get_key: 'viewer',
    update_key: 'admin',
    rotate_key: 'admin',
    revoke_key: 'admin',
    handle_leak: 'admin',
    leaked_key_policy: 'viewer',
    set_leaked_key_policy: 'admin',
  },
};

const contracts = Object.values(contract) as RpcContract[];
/** Without those that only services call. */
const methods = contracts.flatMap(({ method, caller }) => (caller === 'service' ? [] : [method])).sort();

async function createSubject(teamId: string, environment: Environment): Promise<Subject> {
  const owner = member('owner', teamId);
  const application = await createApplication(harness, owner);
  const { secret: _secret, ...key } = await createKey(harness, owner, application, { environment });
  return { application, key };
}

async function stateOf(teamId: string, { application }: Subject): Promise<unknown> {
  const viewer = member('viewer', teamId);
  return [
    await harness.call(viewer, contract.getApplication, { application_id: application.id }),
    await harness.call(viewer, contract.listKeys, { application_id: application.id }),
    await harness.call(viewer, contract.listApplications, {}),
  ];
}

describe('roles', () => {
  it('roles are checked here for every method of the contract', () => {
    expect(Object.keys(LEAST_ROLE.sandbox).sort()).toEqual(methods);
    expect(Object.keys(LEAST_ROLE.live).sort()).toEqual(methods);
    expect(Object.keys(callsAbout('live')).sort()).toEqual(methods);
  });

  it('roles match those in the published table of routes', () => {
    for (const environment of ['sandbox', 'live'] as const) {
      for (const [method, least] of Object.entries(LEAST_ROLE[environment])) {
        const allowed = ROLES.filter((role) => roleAllows(accessOf.get(method) as Access, role, environment));
        expect([method, allowed[0]]).toEqual([method, least]);
      }
    }
  });

  describe.each(['sandbox', 'live'] as const)('with an active %s key', (environment) => {
    const teamId = newId('team');
    let subject: Subject;
    let before: unknown;

    beforeAll(async () => {
      subject = await createSubject(teamId, environment);
      before = await stateOf(teamId, subject);
    });

    const cases = methods.map((method) => {
      const least = LEAST_ROLE[environment][method] as Role;
      return { method, least, tooLow: ROLES[ROLES.indexOf(least) - 1] };
    });

    it.each(cases.filter(({ tooLow }) => tooLow))(
      'the role $tooLow is too low for $method, and changes nothing',
      async ({ method, tooLow }) => {
        const call = callsAbout(environment)[method] as Call;
        expect(await rejection(call(member(tooLow as Role, teamId), subject))).toMatchObject({
          code: 'forbidden',
        });
        expect(await stateOf(teamId, subject)).toEqual(before);
      },
    );

    it.each(cases)('the role $least suffices for $method', async ({ method, least }) => {
      const team = newId('team');
      const call = callsAbout(environment)[method] as Call;
      await call(member(least, team), await createSubject(team, environment));
    });
  });

  it('roles let a developer change scopes and archive again once no live key is active', async () => {
    const teamId = newId('team');
    const subject = await createSubject(teamId, 'live');
    const calls = callsAbout('live');
    await calls['revoke_key']?.(member('admin', teamId), subject);
    await calls['set_scopes']?.(member('developer', teamId), subject);
    await calls['archive']?.(member('developer', teamId), subject);
  });
});

describe('a developer who creates an application', () => {
  const create = (role: Role, fields: Partial<Static<typeof contract.createApplication.request>>) =>
    harness.call(member(role), contract.createApplication, { name: 'Shop', scopes: [], ...fields });
  const unsafe = { require_idempotency_key: { live: false, sandbox: false } };

  it('a developer who creates an application may choose labels and the requirement of the sandbox', async () => {
    const fields = { labels: { env: 'test' }, require_idempotency_key: { live: true, sandbox: true } };
    expect(await create('developer', fields)).toMatchObject(fields);
  });

  it.each([
    ['limits', { limits }],
    ['a live environment without idempotency keys', unsafe],
  ])(
    'a developer who creates an application may not choose %s, which an admin may',
    async (_what, fields) => {
      expect(await rejection(create('developer', fields))).toMatchObject({ code: 'forbidden' });
      expect(await create('admin', fields)).toMatchObject(fields);
    },
  );
});

describe('tenancy', () => {
  const aboutNothing = ['create', 'leaked_key_policy', 'list', 'set_leaked_key_policy'];
  const aboutSomething = contracts.filter(({ request }) => {
    const { properties } = request as unknown as { properties: object };
    return 'application_id' in properties || 'key_id' in properties;
  });

  const theirTeam = newId('team');
  let theirs: Subject;
  let before: unknown;

  beforeAll(async () => {
    theirs = await createSubject(theirTeam, 'live');
    before = await stateOf(theirTeam, theirs);
  });

  it('tenancy is tested for every method that names an application or a key', () => {
    const rest = methods.filter((method) => !aboutSomething.some((about) => about.method === method));
    expect(rest).toEqual(aboutNothing);
  });

  it.each(aboutSomething.map(({ method }) => method))(
    "tenancy returns not-found to %s of an owner for another team's resource, and changes nothing",
    async (method) => {
      const call = callsAbout('live')[method] as Call;
      expect(await rejection(call(member('owner'), theirs))).toMatchObject({ code: 'not-found' });
      expect(await stateOf(theirTeam, theirs)).toEqual(before);
    },
  );

  it('tenancy gives the same result for an unknown application and one of another team', async () => {
    const stranger = member('owner');
    const get = (id: string) => harness.call(stranger, contract.getApplication, { application_id: id });
    const theirId = theirs.application.id;
    const missingId = newId('application');
    const [foreign, missing] = [await rejection(get(theirId)), await rejection(get(missingId))];
    expect(JSON.stringify(foreign).replaceAll(theirId, '')).toBe(
      JSON.stringify(missing).replaceAll(missingId, ''),
    );
  });

  it('tenancy lists no applications and keys of another team', async () => {
    const stranger = member('owner');
    expect(await harness.call(stranger, contract.listApplications, {})).toMatchObject({ data: [] });
    expect(await harness.call(stranger, contract.listKeys, {})).toMatchObject({ data: [] });
  });
});
