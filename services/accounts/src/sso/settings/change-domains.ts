import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { addSingleSignOnDomain as contract } from '@tollgate/contracts/accounts/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Static } from 'typebox';
import { findActingMember } from '../../access/acting-member.ts';
import { created } from '../../audit-entry.ts';
import type { Context } from '../../context.ts';
import { changeSsoSettings, requireOwner } from './change-sso-settings.ts';
import { parseDomain } from './domain-name.ts';
import { recordName, recordValue } from './domain-proof.ts';
import {
  type Domain,
  findDomain,
  type SsoSettings,
  withDomain,
  withoutDomain,
  withVerifiedDomain,
} from './sso-settings.ts';

type Request = Static<typeof contract.request>;

/** Adding a domain again changes nothing. Throws `forbidden`, `invalid-request`, `conflict`. */
export function addDomain(context: Context, actor: MemberActor, { domain }: Request): Promise<SsoSettings> {
  const name = parseDomain(domain);
  return changeSsoSettings(
    context,
    actor,
    'team.sso_domain_added',
    (before, now) => withDomain(before, name, now),
    () => ({ domain: created(name) }),
  );
}

/**
 * Verifies that the team may use the domain. Verifying it again changes nothing. Throws `forbidden`, `not-found`, `too-many-attempts`,
 * and `conflict` while the proof is missing or another team has verified the domain.
 */
export async function verifyDomain(
  context: Context,
  actor: MemberActor,
  request: Request,
): Promise<SsoSettings> {
  const name = parseDomain(request.domain);
  const found = await findOwnDomain(context, actor, name);
  const by = found.verified?.by ?? (await proofOf(context, actor.team_id, found));
  return changeSsoSettings(
    context,
    actor,
    'team.sso_domain_verified',
    async (before, now) => {
      const domain = requireDomain(before, name);
      // Removed and added again meanwhile: the proof was for another record.
      if (domain.verification_token !== found.verification_token) throw domainNotFound(name);
      if (domain.verified) return before;
      if (await context.ssoSettings.findByVerifiedDomain(name)) throw domainTaken();
      return withVerifiedDomain(before, name, by, now);
    },
    () => ({ domain: created(name), verified_by: created(by) }),
  );
}

/** Members with the domain can no longer sign in with single sign-on. Throws `forbidden`, `not-found`. */
export async function removeDomain(context: Context, actor: MemberActor, { domain }: Request): Promise<void> {
  const name = parseDomain(domain);
  await findOwnDomain(context, actor, name);
  await changeSsoSettings(
    context,
    actor,
    'team.sso_domain_removed',
    (before, now) => {
      requireDomain(before, name);
      return withoutDomain(before, name, now);
    },
    () => ({ domain: { before: name, after: null } }),
  );
}

/** The domain is looked for first: that of another team is not found, whatever the role. Throws `forbidden`, `not-found`. */
async function findOwnDomain(context: Context, actor: MemberActor, name: string): Promise<Domain> {
  const { team } = await findActingMember(context, actor);
  const domain = requireDomain(await context.ssoSettings.find(team._id), name);
  requireOwner(team, actor);
  return domain;
}

/** What the operator decided takes precedence over DNS. Throws `conflict`, `too-many-attempts`. */
async function proofOf(
  { domainProofs, throttle }: Context,
  teamId: string,
  domain: Domain,
): Promise<'dns' | 'operator'> {
  const ofOperator = domainProofs.operatorDomains.get(domain.name);
  if (ofOperator !== undefined) {
    if (ofOperator === teamId) return 'operator';
    throw domainTaken();
  }
  // Each look-up is a request to the name servers of others.
  const attempt = await throttle.begin({ kind: 'domain', name: `${teamId} ${domain.name}` });
  const records = await domainProofs.lookUpTxt(recordName(domain)).catch((): string[] => []);
  if (!records.includes(recordValue(domain))) {
    throw new Problem(
      'conflict',
      `No DNS record of type TXT with this value was found at ${recordName(domain)}. A new record can take an hour to be visible.`,
    );
  }
  await attempt.succeeded();
  return 'dns';
}

function requireDomain(settings: SsoSettings, name: string): Domain {
  const domain = findDomain(settings, name);
  if (!domain) throw domainNotFound(name);
  return domain;
}

function domainTaken(): Problem {
  return new Problem(
    'conflict',
    'Another team of this installation has verified this domain. Ask the operator which team may use it.',
  );
}

function domainNotFound(name: string): Problem {
  return new Problem('not-found', `Your team has no domain ${name}.`);
}
