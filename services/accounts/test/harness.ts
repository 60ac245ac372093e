import { randomBytes } from 'node:crypto';
import { callRpc, type RpcCallOptions } from '@tollgate/bus/rpc';
import { serveAuditLog } from '@tollgate/bus/test/stand-in-audit-log';
import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Role } from '@tollgate/contracts/platform/roles';
import { type RpcContract, rpcSubject } from '@tollgate/contracts/platform/rpc-contract';
import type { RunningService } from '@tollgate/service/start-service';
import { type ServiceHarness, startServiceHarness } from '@tollgate/service/test/service-harness';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '@tollgate/test-kit/software-authenticator';
import { type Connection, createConnection } from 'mongoose';
import type { Static, TSchema } from 'typebox';
import { type App, buildApp } from '../src/app.ts';
import type { AppDeps } from '../src/context.ts';
import { newMember } from '../src/members/member.ts';
import { createMemberStore, type MemberStore } from '../src/members/member-store.ts';
import { createPasswordHasher, type PasswordHasher } from '../src/passwords/password.ts';
import { totpCode, totpStep } from '../src/second-factor/totp.ts';
import { appDeps, service } from '../src/service.ts';
import { newTeam } from '../src/teams/team.ts';
import { createTeamStore, type TeamStore } from '../src/teams/team-store.ts';

export const ADDRESS = '198.51.100.7';
export const USER_AGENT = 'Mozilla/5.0 (test)';
/** Origin fields of requests without an actor token. */
export const ORIGIN = { address: ADDRESS, user_agent: USER_AGENT };
export const PASSWORD = 'correct horse battery';
/** Default of the variable. */
export const DASHBOARD_URL = 'http://localhost:3000';
const SETUP_TOKEN = 'the setup token of these tests';
/** Weak parameters, because these tests hash hundreds of passwords. */
export const TEST_PASSWORD_PARAMETERS = { memoryKib: 64, passes: 1, parallelism: 1 };

/** The RPC for which these tests request actor tokens. */
export const GET_ME = rpcSubject(contract.getMe);
export const FOR_GET_ME = { actorFor: [contract.getMe] };

const testPasswords = createPasswordHasher({ parameters: TEST_PASSWORD_PARAMETERS });

export type Service = RunningService<App>;

/** A member with the password, and an actor for calls. */
export interface Person {
  id: string;
  email: string;
  password: string;
  actor: MemberActor;
}

export interface Harness extends ServiceHarness {
  /** The database of the service, over a connection of the test. */
  database: Connection;
  teams: TeamStore;
  members: MemberStore;
  /** Environment variables of a service process with the same servers and secrets. */
  processEnv: Record<string, string>;
  setupToken: string;
  /** Starts a new instance. With `isStarted: false` it stays idle, for tests that call its parts directly. */
  startService(options?: {
    isStarted?: boolean;
    passwords?: PasswordHasher;
    env?: Record<string, string>;
    deps?: Partial<AppDeps>;
  }): Promise<Service>;
  /** Calls over NATS like the gateway for a client without a session. */
  callAnonymously<Request extends TSchema, Reply extends TSchema>(
    method: RpcContract<'service', Request, Reply>,
    request: Static<Request>,
    options?: Pick<RpcCallOptions, 'actorFor'>,
  ): Promise<Static<Reply>>;
}

export async function startHarness(): Promise<Harness> {
  const clock = createFakeClock();
  const harness = await startServiceHarness({
    name: 'accounts',
    clock,
    tokenClock: clock,
    standIns: [serveAuditLog],
  });
  const processEnv = {
    ...harness.env,
    ACCOUNTS_ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
    ACTOR_SIGNING_KEY: harness.actorSigningKey,
    SETUP_TOKEN,
  };
  const database = createConnection(harness.infra.mongodbUrl, { dbName: DATABASES.accounts });
  return {
    ...harness,
    database,
    teams: createTeamStore(database),
    members: createMemberStore(database),
    processEnv,
    setupToken: SETUP_TOKEN,
    startService: ({ isStarted, passwords = testPasswords, env = {}, deps = {} } = {}) =>
      harness.start(
        { ...service, build: (context) => buildApp({ ...appDeps(context), passwords, ...deps }) },
        { ...processEnv, ...env },
        { isStarted },
      ),
    callAnonymously: (method, request, options) => callRpc(harness.client, method, request, options),
    async stop() {
      await database.close();
      await harness.stop();
    },
  };
}

export function setupRequest(harness: Harness, fields: Partial<Static<typeof contract.setUp.request>> = {}) {
  return {
    token: harness.setupToken,
    email: 'founder@example.com',
    name: 'Founder',
    password: PASSWORD,
    team_name: 'Founders',
    ...ORIGIN,
    ...fields,
  };
}

/** Creates the first owner of the installation, who may create teams. */
export async function setUpFounder(harness: Harness): Promise<Person> {
  const { member, team } = await harness.callAnonymously(contract.setUp, setupRequest(harness));
  return personOf({ ...member, teamId: team.id }, member.role);
}

let emails = 0;

export function newEmail(): string {
  emails += 1;
  return `person-${emails}@example.com`;
}

/** Stores a team with one owner. */
export async function createTeamWithOwner(harness: Harness): Promise<Person> {
  const team = newTeam({ name: 'Shop', members: [], invitations: [] }, new Date(harness.clock.now()));
  await harness.teams.insertOnce(team);
  return storeMember(harness, team._id, 'owner');
}

/** Stores a member of the owner's team. */
export function addMember(harness: Harness, owner: Person, role: Role): Promise<Person> {
  return storeMember(harness, owner.actor.team_id, role);
}

async function storeMember(harness: Harness, teamId: string, role: Role): Promise<Person> {
  const [id, email] = [newId('member'), newEmail()];
  const member = newMember(
    {
      _id: id,
      team_id: teamId,
      email,
      name: `Name of ${email}`,
      status: 'active',
      is_installation_admin: false,
      password: await testPasswords.hash(PASSWORD, null),
    },
    new Date(harness.clock.now()),
  );
  await harness.members.insert(member);
  await harness.database
    .collection<{ _id: string; members: object[] }>('teams')
    .updateOne({ _id: teamId }, { $push: { members: { member_id: id, role } } });
  return personOf({ id, name: member.name, email, teamId }, role);
}

/** Invites this email to the owner's team, and accepts. */
export async function acceptWithEmail(
  harness: Harness,
  owner: Person,
  request: { email: string; role: Role },
): Promise<Person> {
  return accept(harness, owner.actor.team_id, await invite(harness, owner, request));
}

/** Accepts an invitation to the team. */
export async function accept(
  harness: Harness,
  teamId: string,
  created: { token: string | null; email: string; role: Role } | null,
): Promise<Person> {
  const { token, email, role } = withToken(created);
  const name = `Name of ${email}`;
  const accepted = { token, name, password: PASSWORD, ...ORIGIN };
  const { id } = await harness.callAnonymously(contract.acceptInvitation, accepted);
  return personOf({ id, name, email, teamId }, role);
}

export async function invite(harness: Harness, owner: Person, request: { email: string; role: Role }) {
  return withToken(await harness.call(owner.actor, contract.createInvitation, request));
}

/** Returns the token of a reset link for the member. */
export async function createResetLink(harness: Harness, owner: Person, memberId: string): Promise<string> {
  return withToken(await harness.call(owner.actor, contract.createResetLink, { member_id: memberId })).token;
}

/** Only a replay returns no token. */
function withToken<Created extends { token: string | null }>(created: Created | null) {
  if (!created || created.token === null) throw new Error('The token of the new link is missing.');
  return { ...created, token: created.token };
}

function personOf(
  { id, name, email, teamId }: { id: string; name: string; email: string; teamId: string },
  role: Role,
): Person {
  const actor = {
    type: 'member' as const,
    member_id: id,
    team_id: teamId,
    role,
    address: ADDRESS,
    session_id: newId('session'),
    // Recent at any time of a test's clock.
    authenticated_at: '2999-01-01T00:00:00.000Z',
    name,
    user_agent: USER_AGENT,
    request_id: null,
  };
  return { id, email, password: PASSWORD, actor };
}

export function signIn(
  harness: Harness,
  person: { email: string; password: string },
  fields: { totp?: string; recovery_code?: string; device_token?: string; address?: string | null } = {},
) {
  const { email, password } = person;
  return harness.callAnonymously(contract.signIn, {
    email,
    password,
    ...ORIGIN,
    ...fields,
  });
}

/** Exchanges a session token for its actor, like the gateway. */
export async function actorOf(harness: Harness, sessionToken: string): Promise<MemberActor> {
  const session = { session_token: sessionToken, ...ORIGIN };
  const { actor_token } = await harness.callAnonymously(contract.issueActorToken, session, FOR_GET_ME);
  return (await harness.verifyActor(actor_token, GET_ME)) as MemberActor;
}

/** Signs the member in. The returned actor has the new session. */
export async function signedIn(harness: Harness, person: Person): Promise<Person & { token: string }> {
  const { token } = await signIn(harness, person);
  return { ...person, token, actor: await actorOf(harness, token) };
}

/** Adds a passkey of a new device. */
export async function addPasskey(
  harness: Harness,
  { actor, password }: Person,
): Promise<{ id: string; device: SoftwareAuthenticator }> {
  const { options } = await harness.call(actor, contract.startPasskey, { current_password: password });
  const device = createSoftwareAuthenticator(DASHBOARD_URL);
  const request = { name: 'Laptop', credential: device.create(options) };
  const { passkey } = await harness.call(actor, contract.createPasskey, request);
  return { id: passkey.id, device };
}

export async function signInWithPasskey(harness: Harness, device: SoftwareAuthenticator) {
  const { options } = await harness.callAnonymously(contract.createPasskeyChallenge, {});
  return harness.callAnonymously(contract.signInWithPasskey, { passkey: device.sign(options), ...ORIGIN });
}

/** The code that an authenticator app with this secret shows now. */
export function currentTotp(harness: Harness, secret: string): string {
  return totpCode(decodeBase32(secret), totpStep(harness.clock.now()));
}

export function decodeBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
