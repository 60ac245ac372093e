import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { ReceivedMail } from './received-mail.ts';

const MAX_MAIL_BYTES = 1024 * 1024;

export interface MailReceiver {
  /** `smtp://127.0.0.1:<port>` */
  url: string;
  stop(): Promise<void>;
}

/** An SMTP server for this machine. It accepts every mail for every address, and delivers none. */
export async function startMailReceiver(
  port: number,
  onMail: (mail: Omit<ReceivedMail, 'number'>) => void,
): Promise<MailReceiver> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: MAX_MAIL_BYTES,
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      buffer(stream)
        .then(read)
        .then((mail) => onMail({ ...mail, to, receivedAt: new Date() }))
        .then(() => done(), done);
    },
  });
  // A client that disconnects in the middle concerns only itself.
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function read(bytes: Buffer) {
  const { from, subject, messageId, text, html } = await PostalMime.parse(bytes);
  return {
    from: from?.address ?? '',
    subject: subject ?? '',
    messageId: messageId ?? '',
    text: text ?? '',
    html: html ?? '',
  };
}
