import { ROLES, type Role } from '@tollgate/contracts/platform/roles';
import { isEmail, normalizeEmail } from '../../members/email.ts';
import type { Identity } from '../provider/identity-providers.ts';
import { domainOfEmail } from '../settings/domain-name.ts';
import type { RoleMapping, SsoSettings } from '../settings/sso-settings.ts';
import { ssoFailed } from '../sso-failed.ts';

/**
 * The normalized email of the identity. Throws `sso-failed` unless the provider verified it and the team verified its domain: the
 * provider of one team must not state emails of others.
 */
export function verifiedEmail(settings: SsoSettings, { email, isEmailVerified }: Identity): string {
  const normalized = email === null ? '' : normalizeEmail(email);
  if (!isEmail(normalized)) {
    throw ssoFailed(
      'no_email',
      'The identity provider returned no email address. An owner of the team must configure it to return the claim email.',
    );
  }
  if (!isEmailVerified) {
    throw ssoFailed(
      'unverified_email',
      'The identity provider does not confirm your email address. Verify it there, or ask an owner of the team to have the claim email_verified returned.',
    );
  }
  const domain = domainOfEmail(normalized);
  if (domain === null || !settings.verified_domains.includes(domain)) {
    throw ssoFailed(
      'unverified_domain',
      'The domain of your email address is not verified for this team. Ask an owner of the team.',
    );
  }
  return normalized;
}

/**
 * The highest role that the claims of the identity give, or the default; null without a role mapping. Throws `sso-failed` when they
 * give none.
 */
export function roleOfClaims(mapping: RoleMapping, { claims }: Identity): Role | null {
  const { role_claim, role_rules, default_role } = mapping;
  if (role_claim === null) return null;
  const values = valuesOf(claims[role_claim]);
  const roles = role_rules.filter(({ value }) => values.includes(value)).map(({ role }) => role);
  const role = ROLES.findLast((each) => roles.includes(each)) ?? default_role;
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
