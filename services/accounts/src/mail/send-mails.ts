import type { Context } from '../context.ts';
import type { Sending } from '../outbox/send-due.ts';
import { sendDue } from '../outbox/send-due.ts';
import { mailMaxAgeMs } from './mail-limits.ts';
import { MAX_CONNECTIONS, type MailTransport } from './mail-transport.ts';
import { writeLetter } from './writing/write-letter.ts';

/** Sends every mail that is due, at least once. */
export function sendMails(
  context: Context,
  {
    transport,
    ...running
  }: { transport: MailTransport } & Pick<Sending<never>, 'countOutcome' | 'logger' | 'signal'>,
): Promise<void> {
  return sendDue({
    ...running,
    what: 'mail',
    outbox: context.mails,
    maxAgeMs: mailMaxAgeMs,
    concurrency: MAX_CONNECTIONS,
    clock: context.clock,
    async send({ id, topic, count }) {
      const letter = await writeLetter(context, topic, count);
      if (letter === null) return 'dropped';
      await transport.send(id, letter);
      return 'sent';
    },
  });
}
