import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/durations';
import type { Logger } from '@tollgate/runtime/logger';
import type { LetterContext } from './letters/letter-context.ts';
import type { Mail, MailOutcome } from './mail.ts';
import { mailMaxAgeMs } from './mail-limits.ts';
import type { MailMetrics } from './mail-metrics.ts';
import { MAX_CONNECTIONS, type MailTransport, RejectedMail } from './mail-transport.ts';
import { writeLetter } from './write-letter.ts';

/** Longer than any attempt. Another instance then takes over the mail of one that died. */
const LEASE_MS = 5 * MINUTE_MS;
const FIRST_RETRY_DELAY_MS = 5 * SECOND_MS;
const MAX_RETRY_DELAY_MS = 15 * MINUTE_MS;

interface Sending {
  context: LetterContext;
  transport: MailTransport;
  metrics: MailMetrics;
  logger: Logger;
  /** Aborted when the process stops: the mails that are left wait for another instance. */
  signal: AbortSignal;
}

/**
 * Sends every mail that is due: each at least once. A mail is sent twice when the process dies, or the connection breaks, between the
 * server's acceptance and its storage.
 */
export async function sendDueMails(sending: Sending): Promise<void> {
  await Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => sendInTurn(sending)));
}

/** Ends early while the server is unavailable, because the other mails would fail as well. */
async function sendInTurn(sending: Sending): Promise<void> {
  const { mails, clock } = sending.context;
  const claim = () => mails.claim(new Date(clock.now()), new Date(clock.now() + LEASE_MS));
  while (!sending.signal.aborted) {
    const mail = await claim();
    if (!mail || !(await attempt(sending, mail))) return;
  }
}

/** Resolves to false when the server or the database is unavailable. */
async function attempt(sending: Sending, mail: Mail): Promise<boolean> {
  const { context, transport } = sending;
  try {
    const letter = await writeLetter(context, mail.topic);
    if (letter === null) {
      await settle(sending, mail, 'dropped', 'Its subject has changed, or the recipient has left.');
      return true;
    }
    await transport.send(mail.id, letter);
  } catch (error) {
    await recordFailure(sending, mail, error as Error);
    return error instanceof RejectedMail;
  }
  await settle(sending, mail, 'sent', null);
  return true;
}

async function recordFailure(sending: Sending, mail: Mail, error: Error): Promise<void> {
  const { context, logger } = sending;
  const dueAt = context.clock.now() + retryDelayMs(mail.attempts);
  const isPermanent = error instanceof RejectedMail && error.isPermanent;
  const isLast = isPermanent || dueAt - mail.createdAt.getTime() > mailMaxAgeMs(mail.topic);
  const log = { err: error, mail_id: mail.id, attempt: mail.attempts };
  if (isLast) {
    logger.error(log, 'a mail could not be sent');
    return settle(sending, mail, 'failed', error.message);
  }
  logger.warn(log, 'failed to send a mail; it will be sent again');
  return context.mails.postpone(mail, new Date(dueAt), error.message);
}

async function settle(
  { context, metrics }: Sending,
  mail: Mail,
  outcome: MailOutcome,
  reason: string | null,
): Promise<void> {
  await context.mails.settle(mail, outcome, reason);
  metrics.countOutcome(outcome);
}

function retryDelayMs(attempts: number): number {
  return Math.min(FIRST_RETRY_DELAY_MS * 2 ** (attempts - 1), MAX_RETRY_DELAY_MS);
}
