import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { createToken as contract } from '@tollgate/contracts/accounts/rpc';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { type FieldError, Problem } from '@tollgate/contracts/platform/problem';
import { isNetworkWithin } from '@tollgate/security/address-ranges';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { findActingToken } from '../access/acting-team.ts';
import type { Context } from '../context.ts';
import type { Team } from '../teams/team.ts';
import type { ApiToken } from './api-token.ts';

/** What limits a token beside its role. That of a token that creates or rotates others is `admin`, the highest. */
export type TokenLimits = Pick<ApiToken, 'environments' | 'allowed_cidrs' | 'expires_at'>;

export interface Issuance {
  team: Team;
  /** The token that the actor is; null for a member. */
  issuer: ApiToken | null;
  /** The member who is the actor, or who created the issuer. */
  createdBy: string;
}

/**
 * Who creates or rotates a token. Throws `forbidden`, also for the token of a login: what it created would outlive the sessions of its
 * member.
 */
export async function findIssuance(context: Context, actor: Actor): Promise<Issuance> {
  if (actor.type === 'member') {
    const { team } = await findActingMember(context, actor);
    return { team, issuer: null, createdBy: actor.member_id };
  }
  const { team, token } = await findActingToken(context, actor);
  if (token.acts_for === null) return { team, issuer: token, createdBy: token.created_by };
  throw new Problem(
    'forbidden',
    'The token of a login cannot create or rotate API tokens. Sign in as the member, or use an API token of the team.',
  );
}

/** The limits of a new token. Those that the request does not state are those of the issuer. */
export function inheritLimits(
  requested: Static<typeof contract.request>,
  issuer: ApiToken | null,
): TokenLimits {
  const { environments, allowed_cidrs = [], expires_at } = requested;
  return {
    environments: environments ?? issuer?.environments ?? null,
    allowed_cidrs: allowed_cidrs.length > 0 ? allowed_cidrs : (issuer?.allowed_cidrs ?? []),
    expires_at: expires_at ? new Date(expires_at) : (issuer?.expires_at ?? null),
  };
}

/** The limits that exceed those of the issuer. */
export function limitErrors(
  { environments, allowed_cidrs, expires_at }: TokenLimits,
  issuer: ApiToken | null,
): FieldError[] {
  if (issuer === null) return [];
  const errors: FieldError[] = [];
  const exceeds = (field: string, detail: string) =>
    errors.push({ pointer: `/${field}`, code: 'invalid', detail });
  if ((environments ?? ENVIRONMENTS).some((each) => issuer.environments?.includes(each) === false))
    exceeds('environments', `Your API token only has access to ${issuer.environments?.join(', ')}.`);
  if (issuer.allowed_cidrs.length > 0 && !areNetworksWithin(allowed_cidrs, issuer.allowed_cidrs))
    exceeds('allowed_cidrs', `Each network must be within one of ${issuer.allowed_cidrs.join(', ')}.`);
  if (issuer.expires_at && (expires_at === null || expires_at > issuer.expires_at))
    exceeds('expires_at', `Your API token expires at ${issuer.expires_at.toISOString()}.`);
  return errors;
}

/** No networks are any address. */
function areNetworksWithin(cidrs: readonly string[], outer: readonly string[]): boolean {
  return cidrs.length > 0 && cidrs.every((cidr) => isNetworkWithin(cidr, outer));
}
