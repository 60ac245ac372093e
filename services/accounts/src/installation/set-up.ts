import type { setUp as contract } from '@tollgate/contracts/accounts/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { auditMessage } from '@tollgate/store/audit-outbox';
import type { Static } from 'typebox';
import { created, memberAuditEntry, teamAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { parseEmail } from '../members/email.ts';
import { newMember } from '../members/member.ts';
import type { MemberInTeam } from '../members/member-in-team.ts';
import { type Origin, provenAuthor } from '../origin.ts';
import { hashNewPassword } from '../passwords/hash-new-password.ts';
import { newTeam, type Team } from '../teams/team.ts';
import { isSetupToken } from './setup-token.ts';

/**
 * Creates the first team and its owner, who is the installation admin. One insert decides the setup, so it succeeds
 * once however many requests compete. `completeSetUp` finishes it after a crash. Throws `conflict`, `forbidden`,
 * `invalid-request`.
 */
export async function setUp(
  context: Context,
  request: Static<typeof contract.request> & Origin,
): Promise<{ team: Team; owner: MemberInTeam }> {
  if (await context.installation.isSetUp()) throw alreadySetUp();
  if (!isSetupToken(context.setupToken, request.token)) {
    throw new Problem('forbidden', 'The setup token does not match SETUP_TOKEN of this installation.');
  }
  const email = parseEmail(request.email);
  const name = parseName(request.name);
  const teamName = parseName(request.team_name, '/team_name');
  const password = await hashNewPassword(context, { ...request, pointer: '/password' });

  const now = new Date(context.clock.now());
  const member_id = newId('member');
  const members = [{ member_id, role: 'owner' as const }];
  const team = newTeam({ name: teamName, members, invitations: [] }, now);
  const account = { _id: member_id, team_id: team._id, email, name, password };
  const owner = newMember({ ...account, status: 'active', is_installation_admin: true }, now);
  const author = provenAuthor(owner, request);
  const outbox = [
    teamAuditEntry('team.created', author, team, { name: created(teamName) }),
    memberAuditEntry('member.joined', author, owner, now, { role: created('owner') }),
  ].map((entry) => signAuditEntry(context.signer, entry));
  if (!(await context.installation.claim({ team: { ...team, outbox }, owner }, now))) throw alreadySetUp();
  await completeSetUp(context);
  context.audit.enqueue(outbox.map((entry) => auditMessage(team._id, entry)));
  return { team, owner: { member: owner, role: 'owner' } };
}

/** Writes the team and the owner of the setup. Safe to repeat. */
export async function completeSetUp(context: Context): Promise<void> {
  const foundation = await context.installation.findUnfinished();
  if (!foundation) return;
  await context.members.insert(foundation.owner);
  await context.teams.insertOnce(foundation.team);
  await context.installation.finish();
}

function alreadySetUp(): Problem {
  return new Problem(
    'conflict',
    'The installation is already set up. Sign in, or ask an owner for an invitation.',
  );
}
