import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { RECENT_AUTHENTICATION_MS } from '@tollgate/contracts/accounts/recent-authentication';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Role } from '@tollgate/contracts/platform/roles';

/** A member with this role, by default in a new team. */
export function member(role: Role, teamId: string = newId('team')): MemberActor {
  return {
    type: 'member',
    member_id: newId('member'),
    team_id: teamId,
    role,
    address: '198.51.100.7',
    session_id: newId('session'),
    // Recent at any time of a test's clock.
    authenticated_at: '2999-01-01T00:00:00.000Z',
    name: 'Ada Lovelace',
    user_agent: 'test',
    request_id: null,
  };
}

/** The member in a session whose authentication is just too long ago at this time. */
export function afterAWhile(actor: MemberActor, nowMs: number): MemberActor {
  return { ...actor, authenticated_at: new Date(nowMs - RECENT_AUTHENTICATION_MS - 1).toISOString() };
}
