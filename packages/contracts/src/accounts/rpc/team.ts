import Type from 'typebox';
import { Id } from '../../platform/ids.ts';
import { Page } from '../../platform/page.ts';
import { rpc } from '../../platform/rpc-contract.ts';
import { Nullable } from '../../platform/schema.ts';
import { CreatedInvitation, Member, RoleSchema, Team } from '../account.ts';
import { GRACE_PERIODS_DAYS } from '../grace-periods.ts';
import { closed, Email, Name, Nothing } from './fields.ts';

// The lists of this service are bounded: each is one page.

export const getTeam = rpc('accounts', 'get_team', {
  caller: 'member-or-token',
  request: Type.Object({ team_id: Id('team') }, closed),
  reply: Team,
});

export const renameTeam = rpc('accounts', 'rename_team', {
  caller: 'member-or-token',
  request: Type.Object(
    {
      team_id: Id('team'),
      name: Name,
      /** The version that the caller read; absent means the current version. */
      if_version: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    closed,
  ),
  reply: Team,
});

/**
 * Creates another team with an invitation for its first owner. Requires an installation admin. A replay returns no
 * invitation if it is no longer open.
 */
export const createTeam = rpc('accounts', 'create_team', {
  caller: 'member',
  idempotent: true,
  request: Type.Object({ name: Name, owner_email: Email }, closed),
  reply: Type.Object({ team: Team, invitation: Nullable(CreatedInvitation) }),
});

/** The caller must have a second factor. Tokens must not change how members sign in. */
export const setSecondFactorPolicy = rpc('accounts', 'set_second_factor_policy', {
  caller: 'member',
  request: Type.Object(
    {
      team_id: Id('team'),
      grace_period_days: Nullable(
        Type.Enum(GRACE_PERIODS_DAYS),
        'Days from now until members need a second factor. Null: they need none',
      ),
      /** The version that the caller read; absent means the current version. */
      if_version: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    closed,
  ),
  reply: Team,
});

export const listMembers = rpc('accounts', 'list_members', {
  caller: 'member-or-token',
  request: Nothing,
  reply: Page(Member),
});

export const changeRole = rpc('accounts', 'change_role', {
  caller: 'member',
  request: Type.Object({ member_id: Id('member'), role: RoleSchema }, closed),
  reply: Member,
});

export const removeMember = rpc('accounts', 'remove_member', {
  caller: 'member',
  request: Type.Object({ member_id: Id('member') }, closed),
  reply: Nothing,
});

/** Signs a member out everywhere. Only an owner can do this to an owner. */
export const endMemberSessions = rpc('accounts', 'end_member_sessions', {
  caller: 'member',
  request: Type.Object({ member_id: Id('member') }, closed),
  reply: Nothing,
});
