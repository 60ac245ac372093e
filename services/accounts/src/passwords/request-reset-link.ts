import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import { parseEmail } from '../members/email.ts';
import type { Origin } from '../origin.ts';

/**
 * Has reset links mailed to the email, one for each account with it. Neither the result nor its timing reveals whether there is an
 * account: it is looked up when the mail is written. Throws `conflict` while this installation sends no mail, `invalid-request` for what is
 * no email, and `too-many-attempts`.
 */
export async function requestResetLink(context: Context, request: { email: string } & Origin): Promise<void> {
  if (!context.sendsMail) {
    throw new Problem(
      'conflict',
      'This installation sends no email. Ask an owner of your team for a reset link; the only owner asks the operator.',
    );
  }
  const { address, user_agent, request_id } = request;
  const email = parseEmail(request.email);
  await context.throttle.begin({ kind: 'reset-link', name: email }, address);
  await context.mails.insert({
    _id: newId('mail'),
    team_id: null,
    topic: { type: 'password-reset', email, origin: { address, user_agent, request_id } },
    created_at: new Date(context.clock.now()),
  });
}
