import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/durations';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { OutboxStore } from './outbox-store.ts';
import type { Outgoing, OutgoingOutcome } from './outgoing.ts';
import { Undelivered } from './undelivered.ts';

/** Longer than any attempt. Another instance then takes over the message of one that died. */
const LEASE_MS = 5 * MINUTE_MS;
const FIRST_RETRY_DELAY_MS = 5 * SECOND_MS;
const MAX_RETRY_DELAY_MS = 15 * MINUTE_MS;

export interface Sending<Topic> {
  /** In logs. */
  what: 'mail' | 'chat message';
  outbox: OutboxStore<Topic>;
  /**
   * Sends it, unless there is nothing to tell any more. Throws Undelivered, and another error when no message can be sent at
   * present.
   */
  send(message: Outgoing<Topic>): Promise<'sent' | 'dropped'>;
  maxAgeMs(topic: Topic): number;
  /** Messages that are sent at the same time. */
  concurrency: number;
  countOutcome(outcome: OutgoingOutcome): void;
  clock: Clock;
  logger: Logger;
  /** Aborted when the process stops: the messages that are left wait for another instance. */
  signal: AbortSignal;
}

/**
 * Sends every message that is due: each at least once. A message is sent twice when the process dies, or the connection breaks,
 * between the receiver's acceptance and its storage.
 */
export async function sendDue<Topic>(sending: Sending<Topic>): Promise<void> {
  await Promise.all(Array.from({ length: sending.concurrency }, () => sendInTurn(sending)));
}

/** Ends early when no message can be sent at present. */
async function sendInTurn<Topic>(sending: Sending<Topic>): Promise<void> {
  const { outbox, clock } = sending;
  const claim = () => outbox.claim(new Date(clock.now()), new Date(clock.now() + LEASE_MS));
  while (!sending.signal.aborted) {
    const message = await claim();
    if (!message || !(await attempt(sending, message))) return;
  }
}

/** Resolves to false when the receiver of all messages, or the database, is unavailable. */
async function attempt<Topic>(sending: Sending<Topic>, message: Outgoing<Topic>): Promise<boolean> {
  let outcome: OutgoingOutcome;
  try {
    outcome = await sending.send(message);
  } catch (error) {
    await recordFailure(sending, message, error as Error);
    return error instanceof Undelivered;
  }
  const reason = outcome === 'dropped' ? 'Its subject has changed, or the recipient has left.' : null;
  await settle(sending, message, outcome, reason);
  return true;
}

async function recordFailure<Topic>(
  sending: Sending<Topic>,
  message: Outgoing<Topic>,
  error: Error,
): Promise<void> {
  const { what, outbox, clock, logger } = sending;
  const { isPermanent, retryAfterMs } =
    error instanceof Undelivered ? error : { isPermanent: false, retryAfterMs: null };
  const dueAt = clock.now() + Math.max(retryDelayMs(message.attempts), retryAfterMs ?? 0);
  const isLast = isPermanent || dueAt - message.createdAt.getTime() > sending.maxAgeMs(message.topic);
  const log = { err: error, message_id: message.id, attempt: message.attempts };
  if (isLast) {
    logger.error(log, `a ${what} could not be sent`);
    return settle(sending, message, 'failed', error.message);
  }
  logger.warn(log, `failed to send a ${what}; it will be sent again`);
  return outbox.postpone(message, new Date(dueAt), error.message);
}

async function settle<Topic>(
  { outbox, countOutcome }: Sending<Topic>,
  message: Outgoing<Topic>,
  outcome: OutgoingOutcome,
  reason: string | null,
): Promise<void> {
  await outbox.settle(message, outcome, reason);
  countOutcome(outcome);
}

function retryDelayMs(attempts: number): number {
  return Math.min(FIRST_RETRY_DELAY_MS * 2 ** (attempts - 1), MAX_RETRY_DELAY_MS);
}
