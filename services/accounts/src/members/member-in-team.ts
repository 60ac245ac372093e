import type { Role } from '@tollgate/contracts/platform/roles';
import type { Member } from './member.ts';

/** An account with its role in the team. */
export interface MemberInTeam {
  member: Member;
  role: Role;
}
