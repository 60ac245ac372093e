import type { MemberActor } from '@tollgate/contracts/actor';
import { Problem } from '@tollgate/contracts/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { changedMember } from '../members/member.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { requireNoTotp } from './start-totp.ts';
import { acceptedTotpStep } from './totp.ts';

/**
 * Second step: a code proves that the app has the secret. From here on signing in requires a code; this one cannot be
 * used again. Returns the recovery codes, once. Throws `forbidden`, `conflict`, `invalid-request`.
 */
export async function confirmTotp(
  context: Context,
  actor: MemberActor,
  request: { totp: string },
): Promise<string[]> {
  const { member } = await findActingMember(context, actor);
  const { codes, digests } = newRecoveryCodes(member.id);
  const author = actorAuthor(actor);
  await changeMember(context, { teamId: member.teamId, memberId: member.id }, (before, now) => {
    requireNoTotp(before);
    const { pendingTotpSecret: secret } = before;
    if (secret === null) throw new Problem('conflict', 'Start setting up the second factor first.');
    const plain = context.encryption.decrypt(secret, member.id);
    const step = acceptedTotpStep(plain, request.totp, { nowMs: now.getTime(), lastStep: 0 });
    if (step === null) throw wrongCode();
    const totp = { secret, lastStep: step, recoveryCodeDigests: digests };
    const after = changedMember(before, { totp, pendingTotpSecret: null }, now);
    return { after, audit: [memberAuditEntry('member.totp_enabled', author, after, now)] };
  });
  return codes;
}

function wrongCode(): Problem {
  return new Problem(
    'invalid-request',
    'The code is incorrect. Check that the clock of your device is correct.',
    {
      errors: [{ pointer: '/totp', code: 'invalid', detail: 'This is not the current code.' }],
    },
  );
}
