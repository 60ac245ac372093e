import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { Context } from '../context.ts';
import { ChannelDown, createChannelPause } from './channel-pause.ts';
import { createOutboxMetrics, type OutboxMetrics } from './outbox-metrics.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { Outgoing, OutgoingOutcome } from './outgoing.ts';
import { retryDelayMs } from './retry-delay.ts';
import { Undelivered } from './undelivered.ts';

interface Channel<Topic> {
  /** Part of the names of its metrics. */
  metric: string;
  /** In logs. */
  what: 'mail' | 'chat message';
  outbox: OutboxStore<Topic>;
  /**
   * Sends it, unless its subject no longer applies. Throws Undelivered, and ChannelDown when no message can be sent at present.
   * After any other error, this message is sent again later.
   */
  send(message: Outgoing<Topic>): Promise<'sent' | 'dropped'>;
  maxAgeMs(topic: Topic): number;
  /** Messages that are sent at the same time. */
  concurrency: number;
  /** Longer than any attempt. Another instance then takes over the message of one that died. */
  leaseMs: number;
  /** Aborted when the process stops: the messages that are left wait for another instance. */
  signal: AbortSignal;
}

type SendingContext = Pick<Context, 'registry' | 'connection' | 'clock' | 'logger'>;

interface Sending<Topic> extends Channel<Topic>, OutboxMetrics {
  clock: Clock;
  logger: Logger;
}

/** Sends the messages of one channel. */
export interface Sender {
  /** Starts to send every message that is due, also while earlier ones are in flight. Neither throws nor waits. */
  start(): void;
  /** Resolves when no message is in flight. */
  idle(): Promise<void>;
}

/**
 * Sends each message that is due at least once. It is sent twice when the process dies, or the connection breaks, between the
 * receiver's acceptance and its storage.
 *
 * Each worker sends one message after another. A receiver that hangs occupies one worker, and the others go on.
 */
export function createSender<Topic>(context: SendingContext, channel: Channel<Topic>): Sender {
  const { what, outbox, signal } = channel;
  const { clock, logger } = context;
  const sending = { ...channel, clock, logger, ...createOutboxMetrics(context, channel) };
  const pause = createChannelPause(clock);
  const workers = new Set<Promise<void>>();

  function addWorker(): void {
    const limit = pause.isProbing() ? 1 : sending.concurrency;
    if (signal.aborted || pause.isPaused() || workers.size >= limit) return;
    const worker = work()
      .catch((error: unknown) =>
        logger.error({ err: error }, `failed to claim or record a ${what}; it will be sent later`),
      )
      .finally(() => workers.delete(worker));
    workers.add(worker);
  }

  async function work(): Promise<void> {
    while (!signal.aborted && !pause.isPaused()) {
      const nowMs = clock.now();
      const message = await outbox.claim(new Date(nowMs), new Date(nowMs + sending.leaseMs));
      if (!message) return;
      // Takes the next message while this one is in flight.
      addWorker();
      await attempt(message);
    }
  }

  async function attempt(message: Outgoing<Topic>): Promise<void> {
    // Messages that wait while the channel is paused have no failed attempts that would end them.
    if (isTooOldAt(clock.now(), sending, message)) {
      logger.error({ message_id: message._id }, `a ${what} reached its maximum age and was not sent`);
      return settle(sending, message, 'failed', 'It reached its maximum age before it could be sent.');
    }
    let outcome: OutgoingOutcome;
    try {
      outcome = await sending.send(message);
    } catch (error) {
      if (error instanceof ChannelDown) pause.serverFailed();
      if (error instanceof Undelivered) pause.serverResponded();
      return recordFailure(sending, message, error as Error);
    }
    if (outcome === 'sent') pause.serverResponded();
    const reason = outcome === 'dropped' ? 'Its subject has changed, or the recipient has left.' : null;
    await settle(sending, message, outcome, reason);
  }

  return {
    start: addWorker,
    async idle() {
      while (workers.size > 0) await Promise.all(workers);
    },
  };
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
  const isLast = isPermanent || isTooOldAt(dueAt, sending, message);
  const reason = shownReason(error);
  const log = { err: error, message_id: message._id, attempt: message.attempts };
  if (isLast) {
    logger.error(log, `a ${what} could not be sent`);
    return settle(sending, message, 'failed', reason);
  }
  logger.warn(log, `failed to send a ${what}; it will be sent again`);
  return outbox.postpone(message, new Date(dueAt), reason);
}

function isTooOldAt<Topic>(
  atMs: number,
  { maxAgeMs }: Sending<Topic>,
  { created_at, topic }: Outgoing<Topic>,
): boolean {
  return atMs - created_at.getTime() > maxAgeMs(topic);
}

/** Members read it. An unexpected error can contain details of the installation, which only the log records. */
function shownReason(error: Error): string {
  if (error instanceof Undelivered || error instanceof ChannelDown) return error.message;
  return 'Tollgate could not send this message. Ask the operator.';
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
