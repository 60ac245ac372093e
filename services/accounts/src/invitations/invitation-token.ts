import type { Context } from '../context.ts';
import { newOpaqueToken } from '../opaque-token.ts';
import type { Invitation } from '../teams/team.ts';

/** An invitation with the token of its link; null in a replay. */
export interface InvitationWithToken {
  invitation: Invitation;
  token: string | null;
}

/**
 * The token of a new invitation, and its stored forms: one to find the invitation by, one to show its link again. The second is bound
 * to the invitation.
 */
export function newInvitationToken(
  { encryption }: Pick<Context, 'encryption'>,
  invitationId: string,
): { token: string; stored: Pick<Invitation, 'token_digest' | 'encrypted_token'> } {
  const { token, digest } = newOpaqueToken();
  const encrypted_token = encryption.encrypt(Buffer.from(token), invitationId);
  return { token, stored: { token_digest: digest, encrypted_token } };
}

export function readInvitationToken(
  { encryption }: Pick<Context, 'encryption'>,
  { id, encrypted_token }: Invitation,
): string {
  return encryption.decrypt(encrypted_token, id).toString();
}
