import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { Context } from '../context.ts';
import { createSender, type Sender } from '../outbox/sender.ts';
import { mailMaxAgeMs } from './mail-limits.ts';
import { MAX_CONNECTIONS } from './mail-transport.ts';
import { writeLetter } from './writing/write-letter.ts';

/** Longer than any attempt: a server may be silent for half a minute between two of its responses. */
const LEASE_MS = 5 * MINUTE_MS;

/** Sends mails, all of them to the mail server of the installation. */
export function createMailSender(context: Context, signal: AbortSignal): Sender {
  return createSender(context, {
    signal,
    metric: 'mails',
    what: 'mail',
    outbox: context.mails,
    maxAgeMs: mailMaxAgeMs,
    // Nothing is sent without a mail server.
    concurrency: context.mail ? MAX_CONNECTIONS : 0,
    leaseMs: LEASE_MS,
    async send(mail) {
      const letter = await writeLetter(context, mail);
      if (letter === null) return 'dropped';
      await context.mail?.send(mail._id, letter);
      return 'sent';
    },
  });
}
