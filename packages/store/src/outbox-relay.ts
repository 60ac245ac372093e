import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '@tollgate/runtime/logger';
import { runInTrace } from '@tollgate/tracing/current-trace';

/** An event or audit entry that is stored in a document until it is published. */
export interface OutboxMessage {
  /** The document that contains it. */
  documentId: string;
  /** Id of the event or entry, and its first `Nats-Msg-Id`, by which the stream drops repeats within minutes. */
  id: string;
  subject: string;
  body: unknown;
}

export interface OutboxRelay<Message extends OutboxMessage> {
  /** Publishes soon. Never throws and never waits: the change is stored, and the sweeper finds unpublished messages. */
  enqueue(messages: Message[]): void;
  /** Publishes the messages that a crash or a NATS outage left unpublished, and resolves to their number. */
  sweep(): Promise<number>;
  /** Resolves when every enqueued message has been published and settled, or has failed and is left to the sweeper. */
  drain(): Promise<void>;
}

const MAX_BATCH = 200;
/** One batch is signed and sent while the other one waits for the disk of the stream. */
const MAX_IN_FLIGHT = 2;
/**
 * Messages in memory that are not yet published or settled. New messages beyond this number are left to the sweeper. A message
 * contains a payment, which its field limits keep below 64 KiB, so all of them need less than 128 MiB. They are several seconds
 * of work for an instance; an instance that lags more gains nothing from a larger queue.
 */
export const MAX_HELD = 2_000;
const SETTLE_DELAY_MS = 50;

/**
 * Moves messages from documents to the bus, at least once. A promise of `publish` resolves when the stream has the message on disk. Then
 * `settle` marks or clears it in its document, many at a time, because a mark costs as much as a change. After a crash
 * between the two, the message is published again: consumers are idempotent by event id.
 */
export function createOutboxRelay<Message extends OutboxMessage>(options: {
  /** Returns one promise per message, in the same order. */
  publish: (messages: Message[]) => Promise<void>[];
  settle: (messages: Message[]) => Promise<void>;
  /** Yields batches of at most `limit` messages. Each is published and settled before the next one is read. */
  findUnpublished: (options: { limit: number }) => AsyncIterable<Message[]>;
  logger: Logger;
}): OutboxRelay<Message> {
  const { publish, settle, findUnpublished, logger } = options;
  let queue: Message[] = [];
  let published: Message[] = [];
  const publishing = new Set<Promise<void>>();
  let settling: Promise<void> | undefined;

  async function publishQueue() {
    while (queue.length > 0) {
      // The responses of this turn are sent first: signing takes longer than everything else that needs the processor.
      await nextTurn();
      const batch = queue.splice(0, MAX_BATCH);
      const failure = await publishAll(batch);
      if (failure !== undefined) {
        logger.warn(
          { err: failure, count: queue.length },
          'failed to publish events to NATS; the sweeper will retry',
        );
        queue = [];
      }
    }
  }

  async function publishAll(batch: Message[]): Promise<unknown> {
    let failure: unknown;
    const results = await Promise.allSettled(publish(batch));
    results.forEach((result, index) => {
      if (result.status === 'fulfilled') published.push(batch[index] as Message);
      else failure = result.reason;
    });
    startSettling();
    return failure;
  }

  function startSettling() {
    settling ??= settlePublished().finally(() => {
      settling = undefined;
      if (published.length > 0) startSettling();
    });
  }

  function startPublishing() {
    if (publishing.size === MAX_IN_FLIGHT) return;
    // The queue has messages of many requests, and is no part of the trace of the one that starts it.
    const run: Promise<void> = runInTrace(null, publishQueue).finally(() => {
      publishing.delete(run);
      if (queue.length > 0) startPublishing();
    });
    publishing.add(run);
  }

  async function settlePublished() {
    while (published.length > 0) {
      // More messages are published during this delay, and one write settles them all.
      await new Promise((resolve) => setTimeout(resolve, SETTLE_DELAY_MS));
      const batch = published;
      published = [];
      try {
        await settle(batch);
      } catch (error) {
        logger.warn(
          { err: error, count: batch.length },
          'failed to mark events as published; they will be published again',
        );
      }
    }
  }

  return {
    enqueue(messages) {
      if (queue.length + published.length + messages.length > MAX_HELD) return;
      queue.push(...messages);
      startPublishing();
    },
    async sweep() {
      let found = 0;
      for await (const messages of findUnpublished({ limit: MAX_BATCH })) {
        const failure = await publishAll(messages);
        await settling;
        if (failure !== undefined) throw failure;
        found += messages.length;
      }
      return found;
    },
    async drain() {
      while (publishing.size > 0 || settling) await Promise.all([...publishing, settling]);
    },
  };
}
