import type { Context } from '../context.ts';
import { newOpaqueToken } from '../opaque-token.ts';
import type { Invitation } from '../teams/team.ts';

interface StoredToken {
  tokenDigest: string;
  /** Bound to the invitation. */
  encryptedToken: string;
}

/** The token of a new invitation, and its stored forms: one to find the invitation by, one to show its link again. */
export function newInvitationToken(
  { encryption }: Pick<Context, 'encryption'>,
  invitationId: string,
): { token: string; stored: StoredToken } {
  const { token, digest } = newOpaqueToken();
  const encryptedToken = encryption.encrypt(Buffer.from(token), invitationId);
  return { token, stored: { tokenDigest: digest, encryptedToken } };
}

export function readInvitationToken(
  { encryption }: Pick<Context, 'encryption'>,
  { id, encryptedToken }: Invitation,
): string {
  return encryption.decrypt(encryptedToken, id).toString();
}
