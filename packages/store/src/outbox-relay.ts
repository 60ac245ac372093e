import type { Logger } from '@tollgate/runtime/logger';

/** One event or audit entry that a document carries until it is published. */
export interface OutboxMessage {
  /** The document that carries it. */
  documentId: string;
  /** Id of the event; also the `Nats-Msg-Id`, by which the stream drops repeats within minutes. */
  id: string;
  subject: string;
  body: unknown;
}

export interface OutboxRelay<Message extends OutboxMessage> {
  /** Publishes soon. Never throws and never waits: the change is stored, and the sweeper finds what is not published. */
  enqueue(messages: Message[]): void;
  /** Publishes what a crash or an outage of NATS left behind; resolves to how many it found. */
  sweep(): Promise<number>;
  /** Resolves when all that was enqueued has been published and settled, or has failed and is left to the sweeper. */
  drain(): Promise<void>;
}

const MAX_BATCH = 200;
/**
 * Beyond this many messages that wait for NATS or for their mark new ones are left to the sweeper. It bounds memory: a message
 * holds a whole payment, which the limits of its fields keep below 64 KiB in memory, so all of them below 128 MiB. That is
 * still seconds of work for an instance; one that is so far behind gains nothing by remembering more.
 */
export const MAX_HELD = 2_000;
const SETTLE_DELAY_MS = 50;

/**
 * Moves messages from documents to the bus, at least once. `publish` resolves when the stream has the message on disk;
 * only then does `settle` mark or clear it in its document, many at a time, because a mark costs as much as a change.
 * A crash between the two publishes again: consumers are idempotent by event id.
 */
export function createOutboxRelay<Message extends OutboxMessage>(options: {
  publish: (message: Message) => Promise<void>;
  settle: (messages: Message[]) => Promise<void>;
  findUnpublished: (options: { limit: number }) => Promise<Message[]>;
  logger: Logger;
}): OutboxRelay<Message> {
  const { publish, settle, findUnpublished, logger } = options;
  let queue: Message[] = [];
  let published: Message[] = [];
  let publishing: Promise<void> | undefined;
  let settling: Promise<void> | undefined;

  async function publishQueue() {
    while (queue.length > 0) {
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
    const results = await Promise.allSettled(batch.map((message) => publish(message)));
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
    publishing ??= publishQueue().finally(() => {
      publishing = undefined;
      if (queue.length > 0) startPublishing();
    });
  }

  async function settlePublished() {
    while (published.length > 0) {
      // Lazily: within this delay many more messages are published, and one write settles them all.
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
      const messages = await findUnpublished({ limit: MAX_BATCH });
      const failure = await publishAll(messages);
      await settling;
      if (failure !== undefined) throw failure;
      return messages.length;
    },
    async drain() {
      while (publishing || settling) await (publishing ?? settling);
    },
  };
}
