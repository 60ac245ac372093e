import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { Context } from '../context.ts';
import { createSender, type Sender, type Sending } from '../outbox/sender.ts';
import { mailMaxAgeMs } from './mail-limits.ts';
import { MAX_CONNECTIONS, type MailTransport } from './mail-transport.ts';
import { writeLetter } from './writing/write-letter.ts';

/** Longer than any attempt: a server may be silent for half a minute between two of its responses. */
const LEASE_MS = 5 * MINUTE_MS;

/** Sends mails, all of them to the mail server of the installation. */
export function createMailSender(
  context: Context,
  {
    transport,
    ...running
  }: { transport: MailTransport } & Pick<Sending<never>, 'countOutcome' | 'logger' | 'signal'>,
): Sender {
  return createSender({
    ...running,
    what: 'mail',
    outbox: context.mails,
    maxAgeMs: mailMaxAgeMs,
    concurrency: MAX_CONNECTIONS,
    leaseMs: LEASE_MS,
    clock: context.clock,
    async send(mail) {
      const letter = await writeLetter(context, mail);
      if (letter === null) return 'dropped';
      await transport.send(mail.id, letter);
      return 'sent';
    },
  });
}
