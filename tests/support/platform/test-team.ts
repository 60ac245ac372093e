import { randomBytes } from 'node:crypto';
import type { Bus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import {
  acceptInvitation,
  createInvitation,
  createTeam,
  getMe,
  setUp,
} from '@tollgate/contracts/accounts/rpc';
import type { Role } from '@tollgate/contracts/platform/roles';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import {
  CALL_OPTIONS,
  type Call,
  FROM_TERMINAL,
  startMemberSession,
} from '@tollgate/launcher/first-run/member-session';

/** A signed-in member. */
export interface TestMember {
  id: string;
  role: Role;
  email: string;
  password: string;
  /** The session token for the admin API. */
  session: string;
  /** Calls an RPC as this member. */
  call: Call;
}

export interface TestTeam {
  id: string;
  owner: TestMember;
  /** Invites a member with this role, accepts the invitation, and signs in. */
  createMember(role: Role): Promise<TestMember>;
}

/** Sets up the installation: the owner of this team is the installation admin. */
export async function createFirstTeam(bus: Bus, setupToken: string): Promise<TestTeam> {
  const account = newAccount('owner');
  const request = { token: setupToken, ...account, team_name: 'Team of the tests', ...FROM_TERMINAL };
  const { team } = await callRpc(bus, setUp, request, CALL_OPTIONS);
  return testTeam(bus, team.id, await signedIn(bus, account));
}

/** Creates another team with its own owner, as the installation admin. */
export async function createFurtherTeam(bus: Bus, installationAdmin: TestMember): Promise<TestTeam> {
  const account = newAccount('owner');
  const { team, invitation } = await installationAdmin.call(createTeam, {
    name: `Team ${account.name}`,
    owner_email: account.email,
  });
  return testTeam(bus, team.id, await joined(bus, account, shownOnce(invitation?.token ?? null)));
}

function testTeam(bus: Bus, id: string, owner: TestMember): TestTeam {
  return {
    id,
    owner,
    async createMember(role) {
      const account = newAccount(role);
      const { token } = await owner.call(createInvitation, { email: account.email, role });
      return joined(bus, account, shownOnce(token));
    },
  };
}

interface Account {
  email: string;
  name: string;
  password: string;
}

function newAccount(role: Role): Account {
  const name = `${role}-${randomBytes(6).toString('hex')}`;
  return { name, email: `${name}@example.com`, password: randomBytes(12).toString('base64url') };
}

async function joined(bus: Bus, account: Account, token: string): Promise<TestMember> {
  const { name, password } = account;
  await callRpc(bus, acceptInvitation, { token, name, password, ...FROM_TERMINAL }, CALL_OPTIONS);
  return signedIn(bus, account);
}

async function signedIn(bus: Bus, { email, password }: Account): Promise<TestMember> {
  const { token: session, call } = await startMemberSession(bus, { email, password });
  const { id, role } = await call(getMe, {});
  return { id, role, email, password, session, call };
}
