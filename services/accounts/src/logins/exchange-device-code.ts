import {
  DEVICE_AUTHORIZATION,
  type DeviceCodeStatus,
  LOGIN_TOKEN_LIFETIME_MS,
} from '@tollgate/contracts/accounts/device-authorization';
import { digestApiToken, generateApiToken } from '@tollgate/security/api-token';
import { insertAudited } from '@tollgate/store/audited-records';
import { tokenCreatedEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { digestToken } from '../opaque-token.ts';
import { type Origin, provenAuthor } from '../origin.ts';
import type { Team } from '../teams/team.ts';
import { type ApiToken, newApiToken, storedDigest } from '../tokens/api-token.ts';
import { memberAllows } from '../tokens/member-allows.ts';
import { isApprovalValid } from './approvals.ts';
import { type ApprovedLogin, type DeviceAuthorization, isApproved, polled } from './device-authorization.ts';

/** The state of a device code (RFC 8628 §3.5), or the API token with its credential, which is returned once. */
export type ExchangedCode =
  | { status: Exclude<DeviceCodeStatus, 'approved'>; interval: number }
  | { status: 'approved'; token: ApiToken; secret: string; team: Team };

/**
 * Returns the state of a login. The first poll after the approval creates the API token. A code that is unknown, expired, or
 * exchanged is `expired_token`: in each case the program can only start again.
 */
export async function exchangeDeviceCode(
  context: Context,
  { device_code, ...origin }: { device_code: string } & Origin,
): Promise<ExchangedCode> {
  const now = new Date(context.clock.now());
  const login = await context.deviceAuthorizations.findByDeviceCode(digestToken(device_code));
  if (!login || login.expires_at <= now) return ended('expired_token');
  if (login.decision === null) return countPoll(context, login, now);
  if (!isApproved(login)) return ended('access_denied');
  if (login.decision.exchanged_at !== null) return ended('expired_token');
  return createLoginToken(context, login, origin);
}

/** The program must not poll again. It gets the interval all the same, so that every state has one. */
function ended(status: 'access_denied' | 'expired_token'): ExchangedCode {
  return { status, interval: DEVICE_AUTHORIZATION.intervalS };
}

async function countPoll(context: Context, before: DeviceAuthorization, now: Date): Promise<ExchangedCode> {
  const after = polled(before, now);
  await context.deviceAuthorizations.savePoll(after);
  const status = after.interval_s > before.interval_s ? 'slow_down' : 'authorization_pending';
  return { status, interval: after.interval_s };
}

/**
 * Creates the token: of two polls that arrive together, one records the exchange. Since the approval, the member may have been removed or
 * demoted, or may have ended the session in which they approved.
 */
async function createLoginToken(
  context: Context,
  login: ApprovedLogin,
  origin: Origin,
): Promise<ExchangedCode> {
  const now = new Date(context.clock.now());
  const { team_id, member_id, session_id } = login.decision;
  const { token, credential } = newLoginToken(login, now);
  const [team, member] = await Promise.all([
    context.teams.find(team_id),
    context.members.find(team_id, member_id),
  ]);
  if (!team || !member || !memberAllows(team, member, token)) return ended('access_denied');
  if (!(await isApprovalValid(context, login.decision, member, now))) return ended('access_denied');
  if (!(await context.deviceAuthorizations.saveExchanged(login, now))) return ended('expired_token');
  const author = provenAuthor(member, origin, session_id);
  await insertAudited(context, context.tokens, token, tokenCreatedEntry(author, token));
  return { status: 'approved', token, secret: credential, team };
}

function newLoginToken({ client_name, decision }: ApprovedLogin, now: Date) {
  const { token_id, team_id, member_id, session_epoch, role, environments } = decision;
  const { credential, lookupId: lookup_id } = generateApiToken();
  const digest = storedDigest(digestApiToken(credential).toString('hex'), member_id);
  const owner = {
    team_id,
    created_by: member_id,
    created_by_token: null,
    acts_for: member_id,
    session_epoch,
  };
  const expires_at = new Date(now.getTime() + LOGIN_TOKEN_LIFETIME_MS);
  const limits = { role, environments, allowed_cidrs: [], expires_at };
  const fields = { _id: token_id, name: client_name, lookup_id, digest, ...owner, ...limits };
  return { credential, token: newApiToken(fields, now) };
}
