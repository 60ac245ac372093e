import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  type Consumer,
  DeliverPolicy,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { MINUTE_MS } from '@tollgate/contracts/durations';
import type { StreamName } from '@tollgate/contracts/streams';
import type { Bus } from './connection.ts';
import type { BusLogger } from './logger.ts';
import { ensureStreams } from './streams.ts';

/** A message whose outcome is not reported within this time is redelivered. `handle` must finish well before. */
const ACK_WAIT_MS = 30_000;
const FIRST_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = MINUTE_MS;
/** Delay before the consumer and the stream are looked up again. */
const REOPEN_DELAY_MS = 1_000;
/** Messages prefetched per concurrent handler: few, because their ACK_WAIT_MS runs while they wait. */
const FETCH_AHEAD = 4;

export interface ConsumedMessage {
  subject: string;
  /** The parsed JSON body, unchanged. */
  body: unknown;
  /** Position in the stream. Starts again when the stream was created again. */
  sequence: number;
  redelivered: boolean;
}

export interface ConsumeOptions {
  stream: StreamName;
  /** Name of the durable consumer. Instances with the same name share the messages. */
  durable: string;
  /** At most one subject: servers before 2.10 support no more. */
  filterSubject?: string;
  /** Resolves when the message is handled. If it throws, the message is redelivered, with an increasing delay. */
  handle: (message: ConsumedMessage) => Promise<void>;
  /** Messages handled concurrently. 1 keeps the stream's order. */
  concurrency?: number;
  logger: BusLogger;
}

/**
 * Consumes a stream, at least once per message, until stopped. Creates the stream and the consumer if they are missing,
 * and again if they disappear. A body that is not JSON is logged and dropped, because it can never be handled. `stop`
 * resolves when the few messages that have arrived are handled: nats-server 2.9 may hold back a message that is
 * returned until ACK_WAIT_MS is over.
 */
export function consume(bus: Bus, options: ConsumeOptions): { stop(): Promise<void> } {
  const { stream, durable, logger } = options;
  const stopping = new AbortController();
  let closeCurrent: () => void = () => undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (bus.isConnected()) await consumeOnce();
      } catch (error) {
        if (bus.isConnected()) logger.warn({ err: error, stream, durable }, 'consuming failed; retrying');
      }
      await sleep(REOPEN_DELAY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  /** Runs until the connection or the consumer is lost, or until stopped. */
  async function consumeOnce(): Promise<void> {
    const consumer = await openConsumer(bus, options);
    const concurrency = options.concurrency ?? 1;
    const messages = await consumer.consume({
      max_messages: concurrency * FETCH_AHEAD,
      abort_on_missing_resource: true,
    });
    closeCurrent = () => void messages.close();
    if (stopping.signal.aborted) closeCurrent();
    const inFlight = new Set<Promise<void>>();
    try {
      for await (const message of messages) {
        const done: Promise<void> = handleMessage(message, options).finally(() => inFlight.delete(done));
        inFlight.add(done);
        if (inFlight.size >= concurrency) await Promise.race(inFlight);
      }
    } finally {
      await Promise.all(inFlight);
    }
  }

  // The client resumes a pull by itself, but waits half a minute if its first attempt finds JetStream not ready.
  const unlisten = bus.onReconnect(() => closeCurrent());
  const running = run();
  return {
    async stop() {
      unlisten();
      stopping.abort();
      closeCurrent();
      await running;
    },
  };
}

async function openConsumer(bus: Bus, { stream, durable, filterSubject }: ConsumeOptions): Promise<Consumer> {
  await ensureStreams(bus);
  const manager = await jetstreamManager(bus.nats, { checkAPI: false });
  await manager.consumers.add(stream, {
    durable_name: durable,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ACK_WAIT_MS),
    max_deliver: -1,
    ...(filterSubject !== undefined && { filter_subject: filterSubject }),
  });
  return jetstream(bus.nats).consumers.get(stream, durable);
}

async function handleMessage(
  message: JsMsg,
  { handle, stream, durable, logger }: ConsumeOptions,
): Promise<void> {
  const { subject, seq: sequence, redelivered } = message;
  let body: unknown;
  try {
    body = message.json();
  } catch {
    logger.error({ stream, durable, subject, sequence }, 'dropped a message that is not JSON');
    message.term();
    return;
  }
  try {
    await handle({ subject, body, sequence, redelivered });
    message.ack();
  } catch (error) {
    const retryDelayMs = retryDelay(message.info.deliveryCount);
    logger.warn(
      { err: error, stream, durable, subject, sequence, retry_delay_ms: retryDelayMs },
      'failed to handle a message; it will be redelivered',
    );
    message.nak(retryDelayMs);
  }
}

function retryDelay(deliveries: number): number {
  return Math.min(FIRST_RETRY_DELAY_MS * 2 ** (deliveries - 1), MAX_RETRY_DELAY_MS);
}
