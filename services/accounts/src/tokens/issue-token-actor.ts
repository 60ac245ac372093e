import { timingSafeEqual } from 'node:crypto';
import type { TokenActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { parseAddressRanges } from '@tollgate/security/address-ranges';
import { digestApiToken, parseApiToken } from '@tollgate/security/api-token';
import type { Context } from '../context.ts';
import { isTouchDue } from '../last-use.ts';
import type { Origin } from '../origin.ts';
import { isSetUpOverdue } from '../second-factor/require-set-up.ts';
import { type ApiToken, statusOf, storedDigest } from './api-token.ts';
import { memberAllows } from './member-allows.ts';

/** Compared with the secret of an unknown token, so that it takes as long as a known one. */
const NO_DIGEST = Buffer.alloc(32);

/**
 * Exchanges the credential of an API token for an actor token for these RPCs, with a lifetime of at most a minute. Throws
 * `invalid-api-token`, `ip-not-allowed`, `second-factor-setup-required`.
 */
export async function issueTokenActor(
  context: Context,
  {
    credential,
    isUse,
    subjects,
    ...origin
  }: { credential: string; isUse: boolean; subjects: string[] } & Origin,
): Promise<{ actorToken: string; token: ApiToken }> {
  const now = new Date(context.clock.now());
  const token = await findByCredential(context, credential);
  const status = statusOf(token, now);
  if (status === 'revoked') throw invalidApiToken('This API token was revoked.');
  if (status === 'expired') throw invalidApiToken('This API token has expired.');
  await requireMember(context, token, now);
  requireAllowedAddress(token, origin.address);
  if (isUse && isTouchDue(token, now)) await context.tokens.touch(token, now);

  const actor: TokenActor = {
    type: 'token',
    token_id: token._id,
    team_id: token.team_id,
    role: token.role,
    environments: token.environments,
    address: origin.address,
    name: token.name,
    user_agent: origin.user_agent,
    request_id: origin.request_id,
  };
  return { actorToken: await context.signActor(actor, subjects), token };
}

/** A caller without the secret must not learn whether the token exists or was revoked. */
async function findByCredential(context: Context, credential: string): Promise<ApiToken> {
  const parsed = parseApiToken(credential);
  if (!parsed) throw invalidApiToken('The API token is incomplete or mistyped.');
  const token = await context.tokens.findByLookupId(parsed.lookupId);
  const stored = token ? Buffer.from(token.digest, 'hex') : NO_DIGEST;
  const given = storedDigest(digestApiToken(credential).toString('hex'), token?.acts_for ?? null);
  const matches = timingSafeEqual(stored, Buffer.from(given, 'hex'));
  if (!token || !matches) throw invalidApiToken('Unknown API token.');
  return token;
}

/** A login can do no more than its member: not after they left, lost the role, ended their sessions, or must set up a second factor. */
async function requireMember({ teams, members }: Context, token: ApiToken, now: Date): Promise<void> {
  const { team_id, acts_for } = token;
  if (acts_for === null) return;
  const [team, member] = await Promise.all([teams.find(team_id), members.find(team_id, acts_for)]);
  if (!team || !member || !memberAllows(team, member, token)) {
    throw invalidApiToken(
      'This login is no longer valid: its member left the team, lost the role of the token, set a new password, or signed out everywhere. Log in again.',
    );
  }
  if (isSetUpOverdue(team, member, now)) {
    throw new Problem(
      'second-factor-setup-required',
      'This login acts for a member whose team requires a second factor. The member adds one in the dashboard first.',
    );
  }
}

function requireAllowedAddress({ allowed_cidrs }: ApiToken, address: string | null): void {
  if (allowed_cidrs.length === 0 || parseAddressRanges(allowed_cidrs)(address)) return;
  throw new Problem('ip-not-allowed', 'This API token cannot be used from the IP address of this request.');
}

function invalidApiToken(detail: string): Problem {
  return new Problem('invalid-api-token', detail);
}
