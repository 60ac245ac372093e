import type { Role } from '@tollgate/contracts/platform/roles';
import type { Identity } from '../provider/identity-providers.ts';
import { mappedRole, type RoleMapping } from '../settings/sso-settings.ts';
import { ssoFailed } from '../sso-failed.ts';

/** The role that the claims of the identity give; null without a role mapping. Throws `sso-failed` when they give none. */
export function roleOfClaims(mapping: RoleMapping, { claims }: Identity): Role | null {
  if (mapping.role_claim === null) return null;
  const role = mappedRole(mapping, valuesOf(claims[mapping.role_claim]));
  if (role !== null) return role;
  throw ssoFailed(
    'no_role',
    'Your groups at the identity provider have no role in this team. Ask an owner of the team.',
  );
}

/** Providers return one value as a string, or several as a list. */
function valuesOf(claim: unknown): string[] {
  const values = Array.isArray(claim) ? claim : [claim];
  return values.filter((value) => typeof value === 'string');
}
