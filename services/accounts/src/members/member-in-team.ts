import type { Role } from '@tollgate/contracts/actor';
import type { Member } from './member.ts';

/** An account with the role that the team says it has. */
export interface MemberInTeam {
  member: Member;
  role: Role;
}
