import type { Member } from '@tollgate/contracts/accounts/account';
import type { Role } from '@tollgate/contracts/platform/roles';
import { expect, it } from 'vitest';
import { isLastOwner } from './members.ts';

function member(role: Role): Member {
  const id = `mem_${role}` as Member['id'];
  const created_at = '2026-11-21T04:00:00.000Z';
  return {
    id,
    role,
    email: `${role}@example.com`,
    name: role,
    totp_enabled: false,
    passkey_count: 0,
    is_installation_admin: false,
    created_at,
  };
}

it('an owner is the last one only when the team has no other owner', () => {
  const [owner, admin] = [member('owner'), member('admin')];
  expect(isLastOwner(owner, [owner, admin])).toBe(true);
  expect(isLastOwner(owner, [owner, admin, member('owner')])).toBe(false);
  expect(isLastOwner(admin, [owner, admin])).toBe(false);
});
