import { createTransport } from 'nodemailer';
import { ChannelDown } from '../outbox/channel-pause.ts';
import { Undelivered } from '../outbox/undelivered.ts';
import type { Letter } from './letter.ts';
import { renderLetter } from './render-letter.ts';
import type { SmtpServer } from './smtp-server.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Between two responses of the server. */
const SILENCE_TIMEOUT_MS = 30_000;
/** Mails that are sent at the same time, each over a connection of its own. */
export const MAX_CONNECTIONS = 4;
/** RFC 5321 §4.2.1: the server has rejected the mail permanently. */
const FIRST_PERMANENT_CODE = 500;

export interface MailTransport {
  /**
   * Resolves when the server has accepted the mail. Throws Undelivered, and ChannelDown when the server is unavailable, or rejects
   * this platform. `id` identifies the mail: a repeated attempt has the same one.
   */
  send(id: string, letter: Letter): Promise<void>;
  close(): void;
}

/**
 * Sends mails to the SMTP server of this address. The connection is encrypted, and its certificate verified, except on this
 * machine: credentials and links never cross a network in plain text. A server must greet within `connectTimeoutMs`.
 */
export function createMailTransport({
  smtp,
  from,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
}: {
  smtp: SmtpServer;
  from: string;
  connectTimeoutMs?: number;
}): MailTransport {
  const transport = createTransport({
    host: smtp.host,
    port: smtp.port,
    secure: smtp.isEncrypted,
    requireTLS: !smtp.isLocal,
    ignoreTLS: smtp.isLocal,
    ...(smtp.auth && { auth: smtp.auth }),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: SILENCE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^\s>]+)>?$/.exec(from)?.[1] ?? 'localhost';

  return {
    async send(id, letter) {
      const { to, subject } = letter;
      try {
        await transport.sendMail({
          from,
          // As an object, so that nothing in the address is read as a second one.
          to: { name: '', address: to },
          subject,
          ...renderLetter(letter),
          // RFC 5322 §3.6.4: a Message-ID has no colon.
          messageId: `<${id.replaceAll(':', '.')}@${domain}>`,
          // RFC 3834: out-of-office programs do not respond.
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        throw asRejection(error) ?? new ChannelDown((error as Error).message, { cause: error });
      }
    },

    close: () => transport.close(),
  };
}

/** Null for an error that would concern every other mail as well, such as a wrong password of this platform (`EAUTH`). */
function asRejection(error: unknown): Undelivered | null {
  const { code, responseCode = 0, message } = error as Error & { code?: string; responseCode?: number };
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return null;
  return new Undelivered(message, { isPermanent: responseCode >= FIRST_PERMANENT_CODE });
}
