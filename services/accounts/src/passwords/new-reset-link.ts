import { DAY_MS } from '@tollgate/contracts/durations';
import type { ResetLink } from '../members/member.ts';
import { newOpaqueToken } from '../opaque-token.ts';

const LIFETIME_MS = DAY_MS;

/** A link for a new password, and its token, which is not stored. */
export function newResetLink(
  fields: { id: string; removesTotp: boolean },
  nowMs: number,
): { token: string; link: ResetLink } {
  const { token, digest } = newOpaqueToken();
  return { token, link: { ...fields, tokenDigest: digest, expiresAt: new Date(nowMs + LIFETIME_MS) } };
}
