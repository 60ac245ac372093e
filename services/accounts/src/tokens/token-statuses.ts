import type { ApiTokenStatus } from '@tollgate/contracts/accounts/api-token';
import type { Context } from '../context.ts';
import { type ApiToken, statusOf } from './api-token.ts';
import { isEndedByMember } from './member-allows.ts';

/** Reads the members for whom these tokens of a team act, and returns the status of each token. */
export async function readStatuses(
  context: Context,
  teamId: string,
  tokens: readonly ApiToken[],
): Promise<(token: ApiToken) => ApiTokenStatus> {
  const memberIds = [...new Set(tokens.flatMap(({ acts_for }) => acts_for ?? []))];
  const members = memberIds.length === 0 ? [] : await context.members.listOfTeam(teamId, memberIds);
  const byId = new Map(members.map((member) => [member._id, member]));
  const now = new Date(context.clock.now());
  return (token) =>
    isEndedByMember(token, byId.get(token.acts_for ?? '') ?? null) ? 'revoked' : statusOf(token, now);
}
