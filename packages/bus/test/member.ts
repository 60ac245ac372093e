import type { MemberActor } from '@tollgate/contracts/actor';
import { newId } from '@tollgate/contracts/ids';
import type { Role } from '@tollgate/contracts/roles';

/** A member with this role, by default in a new team. */
export function member(role: Role, teamId: string = newId('team')): MemberActor {
  return {
    type: 'member',
    member_id: newId('member'),
    team_id: teamId,
    role,
    address: '198.51.100.7',
    session_id: newId('session'),
    name: 'Ada Lovelace',
    user_agent: 'test',
    request_id: null,
  };
}
