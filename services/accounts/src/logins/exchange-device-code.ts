import {
  DEVICE_AUTHORIZATION,
  type DeviceCodeStatus,
  LOGIN_TOKEN_LIFETIME_MS,
} from '@tollgate/contracts/accounts/device-authorization';
import { digestApiToken, generateApiToken } from '@tollgate/security/api-token';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { tokenAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { digestToken } from '../opaque-token.ts';
import { type Origin, provenAuthor } from '../origin.ts';
import type { Team } from '../teams/team.ts';
import { type ApiToken, newApiToken } from '../tokens/api-token.ts';
import { memberAllows } from '../tokens/member-allows.ts';
import { storedDigest } from '../tokens/stored-digest.ts';
import { isApprovalValid } from './approval.ts';
import { type ApprovedLogin, type DeviceAuthorization, polled } from './device-authorization.ts';

/** The state of a device code (RFC 8628 §3.5), or the API token with its credential, which is returned once. */
export type ExchangedCode =
  | { status: Exclude<DeviceCodeStatus, 'approved'>; intervalS: number }
  | { status: 'approved'; token: ApiToken; secret: string; team: Team };

/**
 * Returns the state of a login. The first poll after the approval creates the API token. A code that is unknown, expired, or
 * exchanged is `expired_token`: in each case the program can only start again.
 */
export async function exchangeDeviceCode(
  context: Context,
  { deviceCode, ...origin }: { deviceCode: string } & Origin,
): Promise<ExchangedCode> {
  const now = new Date(context.clock.now());
  const login = await context.deviceAuthorizations.findByDeviceCode(digestToken(deviceCode));
  if (!login || login.expiresAt <= now) return ended('expired_token');
  const { decision } = login;
  if (decision === null) return countPoll(context, login, now);
  if (decision.status === 'denied') return ended('access_denied');
  if (decision.exchangedAt !== null) return ended('expired_token');
  return createLoginToken(context, { ...login, decision }, origin);
}

/** The program must not poll again. It gets the interval all the same, so that every state has one. */
function ended(status: 'access_denied' | 'expired_token'): ExchangedCode {
  return { status, intervalS: DEVICE_AUTHORIZATION.intervalS };
}

async function countPoll(context: Context, before: DeviceAuthorization, now: Date): Promise<ExchangedCode> {
  const after = polled(before, now);
  await context.deviceAuthorizations.savePoll(after);
  const { intervalS } = after;
  return { status: intervalS > before.intervalS ? 'slow_down' : 'authorization_pending', intervalS };
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
  const { teamId, memberId, sessionId } = login.decision;
  const { token, credential } = newLoginToken(login, now);
  const [team, member] = await Promise.all([
    context.teams.find(teamId),
    context.members.find(teamId, memberId),
  ]);
  if (!team || !member || !memberAllows(team, member, token)) return ended('access_denied');
  if (!(await isApprovalValid(context, login.decision, member, now))) return ended('access_denied');
  if (!(await context.deviceAuthorizations.saveExchanged(login, now))) return ended('expired_token');
  const author = provenAuthor(member, origin, sessionId);
  const entry = tokenAuditEntry('token.created', author, { before: null, after: token }, now);
  const audit = signAuditEntry(context.signer, entry);
  await context.tokens.insert(token, audit);
  context.audit.enqueue([auditMessage(token.id, audit)]);
  return { status: 'approved', token, secret: credential, team };
}

function newLoginToken({ clientName: name, decision }: ApprovedLogin, now: Date) {
  const { tokenId: id, teamId, memberId, sessionEpoch, role, environments } = decision;
  const { credential, lookupId } = generateApiToken();
  const digest = storedDigest(digestApiToken(credential).toString('hex'), memberId);
  const expiresAt = new Date(now.getTime() + LOGIN_TOKEN_LIFETIME_MS);
  const owner = { createdBy: memberId, createdByToken: null, actsFor: memberId, sessionEpoch };
  const limits = { role, environments, allowedCidrs: [], expiresAt };
  return { credential, token: newApiToken({ id, teamId, name, lookupId, digest, ...owner, ...limits }, now) };
}
