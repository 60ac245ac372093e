import type { Bus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import type { Actor } from '@tollgate/contracts/actor';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/environment';
import { Id, newId } from '@tollgate/contracts/ids';
import { Problem } from '@tollgate/contracts/problem';
import {
  createApplication,
  createKey,
  getApplication,
  listApplications,
  listKeys,
  revokeKey,
} from '@tollgate/contracts/rpc/applications';
import { SCOPE_NAMES } from '@tollgate/contracts/scopes';
import { parseApiKey } from '@tollgate/service-kit/api-key';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { LauncherFailure } from './launcher-failure.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';

const APPLICATION_NAME = 'First application';
const KEY_NAMES: Record<Environment, string> = { live: 'First live key', sandbox: 'First sandbox key' };

/** What has been made so far. Kept because a key's credential is shown once, by the call that makes it. */
const FirstRun = Type.Object({
  team_id: Id('team'),
  member_id: Id('member'),
  application_id: Type.Optional(Id('application')),
  live_api_key: Type.Optional(Type.String()),
  sandbox_api_key: Type.Optional(Type.String()),
});
type FirstRun = Static<typeof FirstRun>;
const firstRunSchema = Compile(FirstRun);

export interface FirstApplication {
  teamId: string;
  memberId: string;
  applicationId: string;
  apiKeys: Record<Environment, string>;
}

interface Caller {
  bus: Bus;
  token(): Promise<string>;
}

/**
 * Makes the first team's ids, its application and one key for each environment. Each step is recorded before the next, and
 * looks for what an interrupted run has already made: however often it is interrupted, one application and two keys come
 * out of it. On a later start it finds them again; keys that somebody has revoked since stay revoked.
 */
export async function ensureFirstApplication(options: {
  /** Where the steps are recorded. */
  path: string;
  bus: Bus;
  signActor: (actor: Actor) => Promise<string>;
}): Promise<FirstApplication> {
  const { path, bus, signActor } = options;
  let made = await load(path);
  const record = async (more: Partial<FirstRun>) => {
    made = { ...made, ...more };
    await writePrivateJson(path, made);
  };
  const { team_id: teamId, member_id: memberId } = made;
  const owner: Actor = { team_id: teamId, member_id: memberId, role: 'owner', address: null };
  const caller: Caller = { bus, token: () => signActor(owner) };
  await record({});

  const applicationId = await ensureApplication(caller, made.application_id);
  await record({ application_id: applicationId });
  const apiKeys: Partial<Record<Environment, string>> = {};
  for (const environment of ENVIRONMENTS) {
    const credential = await ensureKey(caller, applicationId, environment, made[`${environment}_api_key`]);
    await record({ [`${environment}_api_key`]: credential });
    apiKeys[environment] = credential;
  }
  return { teamId, memberId, applicationId, apiKeys: apiKeys as Record<Environment, string> };
}

async function load(path: string): Promise<FirstRun> {
  const stored = await readPrivateJson(path);
  if (stored === null) return { team_id: newId('team'), member_id: newId('member') };
  if (!firstRunSchema.Check(stored)) {
    throw new LauncherFailure(`${path} is damaged.\n  Put it back from your backup.`);
  }
  return stored;
}

/** The recorded one, or one that a run made without getting to record it, or a new one. */
async function ensureApplication(caller: Caller, recordedId: string | undefined): Promise<string> {
  const actorToken = await caller.token();
  if (recordedId !== undefined) {
    try {
      return (await callRpc(caller.bus, getApplication, { application_id: recordedId }, { actorToken })).id;
    } catch (error) {
      // Another database than the last time, or an emptied one.
      if (!(error instanceof Problem && error.details.code === 'not-found')) throw error;
    }
  }
  const { data } = await callRpc(caller.bus, listApplications, {}, { actorToken });
  const existing = data.find(({ name }) => name === APPLICATION_NAME);
  if (existing !== undefined) return existing.id;
  const request = { name: APPLICATION_NAME, scopes: SCOPE_NAMES };
  return (await callRpc(caller.bus, createApplication, request, { actorToken })).id;
}

/** @returns the credential */
async function ensureKey(
  caller: Caller,
  applicationId: string,
  environment: Environment,
  recorded: string | undefined,
): Promise<string> {
  const { bus } = caller;
  const application = { application_id: applicationId };
  const { data } = await callRpc(
    bus,
    listKeys,
    { ...application, limit: 100 },
    { actorToken: await caller.token() },
  );
  const recordedLookupId = recorded === undefined ? undefined : parseApiKey(recorded)?.lookupId;
  if (recorded !== undefined && data.some(({ lookup_id }) => lookup_id === recordedLookupId)) return recorded;

  // Made by a run that ended before it could record the credential: nobody can ever use it.
  const lost = data.filter(({ name, status }) => name === KEY_NAMES[environment] && status === 'active');
  for (const { id } of lost) {
    const request = {
      ...application,
      key_id: id,
      reason: 'Its secret was lost in an interrupted first start',
    };
    await callRpc(bus, revokeKey, request, { actorToken: await caller.token() });
  }
  const request = { ...application, environment, name: KEY_NAMES[environment] };
  return (await callRpc(bus, createKey, request, { actorToken: await caller.token() })).secret;
}
