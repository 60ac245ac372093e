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
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import type { StreamName } from '@tollgate/contracts/platform/streams';
import { currentTrace, runInTrace } from '@tollgate/tracing/current-trace';
import { inSpan } from '@tollgate/tracing/span';
import type { Static, TSchema } from 'typebox';
import type { Bus } from './connection.ts';
import { storeDeadLetter } from './dead-letters.ts';
import type { BusLogger } from './logger.ts';
import { parseJson } from './parse-json.ts';
import { ensureStream } from './streams.ts';
import { traceOfHeaders } from './trace-headers.ts';

/** A message whose outcome is not reported within this time is redelivered. `handle` must finish well before. */
const ACK_WAIT_MS = 30_000;
const FIRST_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = MINUTE_MS;
/**
 * A message that failed this often, over about an hour, is moved to the dead letters: too many such messages would use
 * up the unacknowledged messages that NATS allows a consumer, and block it.
 */
const MAX_DELIVERIES = 66;
/** Delay before the consumer and the stream are looked up again. */
const REOPEN_DELAY_MS = 1_000;
/** Messages prefetched per concurrent handler: few, because their ACK_WAIT_MS runs while they wait. */
const FETCH_AHEAD = 4;
/** NATS gives the instances of a consumer 1,000 unacknowledged messages together: one that is suspended must leave some. */
const MAX_FETCHED = 256;

/** Thrown by a handler for a message that no repetition can handle. The consumer moves it to the dead letters at once. */
export class PoisonMessage extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'PoisonMessage';
  }
}

export interface ConsumedMessage<Body> {
  subject: string;
  /** As an open reader of the schema reads it. */
  body: Body;
  /** As received, without the defaults of absent fields: this is what a signature covers. */
  received: unknown;
  /** Position in the stream. Starts again when the stream was created again. */
  sequence: number;
  redelivered: boolean;
}

export interface ConsumeOptions<Schema extends TSchema> {
  stream: StreamName;
  /** Name of the durable consumer. Instances with the same name share the messages. */
  durable: string;
  /** At most one subject: servers before 2.10 support no more. */
  filterSubject?: string;
  /** Schema of the bodies. */
  schema: Schema;
  /**
   * Returns why a message fails verification, or null. It checks the message as received, before defaults are filled in.
   * A message that fails verification becomes a dead letter.
   */
  verify?: (received: unknown) => string | null;
  /** Resolves when the message is handled. If it throws, the message is redelivered, with an increasing delay. */
  handle: (message: ConsumedMessage<Static<Schema>>) => Promise<void>;
  /** Messages handled concurrently. 1 keeps the stream's order. */
  concurrency?: number;
  logger: BusLogger;
  maxDeliveries?: number;
}

/**
 * Consumes a stream, at least once per message, until stopped. Creates the stream and the consumer if they are missing,
 * and again if they disappear. A message that can never be handled is moved to the dead letters and blocks nothing: a
 * body that does not match the schema, one that `verify` rejects, one for which `handle` throws PoisonMessage, and one
 * that failed too often. `stop` resolves when the few messages that have arrived are handled: nats-server 2.9 may hold
 * back a message that is returned until ACK_WAIT_MS is over.
 */
export function consume<Schema extends TSchema>(
  bus: Bus,
  options: ConsumeOptions<Schema>,
): { stop(): Promise<void> } {
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
      max_messages: Math.min(concurrency * FETCH_AHEAD, MAX_FETCHED),
      abort_on_missing_resource: true,
    });
    closeCurrent = () => void messages.close();
    if (stopping.signal.aborted) closeCurrent();
    const inFlight = new Set<Promise<void>>();
    let onHandled: () => void = () => undefined;
    try {
      for await (const message of messages) {
        const done: Promise<void> = handleMessage(bus, message, options).finally(() => {
          inFlight.delete(done);
          onHandled();
        });
        inFlight.add(done);
        // Not `Promise.race`, which visits every message in flight for each further one.
        if (inFlight.size >= concurrency)
          await new Promise<void>((resolve) => {
            onHandled = resolve;
          });
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

async function openConsumer(
  bus: Bus,
  { stream, durable, filterSubject }: Pick<ConsumeOptions<TSchema>, 'stream' | 'durable' | 'filterSubject'>,
): Promise<Consumer> {
  await ensureStream(bus, stream);
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

/** Handles the message as a part of the trace that it continues. */
async function handleMessage<Schema extends TSchema>(
  bus: Bus,
  message: JsMsg,
  options: ConsumeOptions<Schema>,
): Promise<void> {
  const parent = traceOfHeaders(message.headers);
  return runInTrace(parent, () => handleMessageInTrace(bus, message, options));
}

async function handleMessageInTrace<Schema extends TSchema>(
  bus: Bus,
  message: JsMsg,
  options: ConsumeOptions<Schema>,
): Promise<void> {
  const { handle, stream, durable, logger, maxDeliveries = MAX_DELIVERIES } = options;
  const { subject, seq: sequence, redelivered } = message;
  try {
    const { body, received } = readBody(message, options);
    const span = {
      component: bus.name,
      name: `process ${subject}`,
      kind: 'consumer',
      parent: currentTrace(),
    } as const;
    await inSpan(span, () => handle({ subject, body, received, sequence, redelivered }));
    message.ack();
  } catch (error) {
    const deliveries = message.info.deliveryCount;
    if (error instanceof PoisonMessage || deliveries >= maxDeliveries) {
      await bury(bus, message, options, error as Error);
      return;
    }
    const retryDelayMs = retryDelay(deliveries);
    logger.warn(
      { err: error, stream, durable, subject, sequence, retry_delay_ms: retryDelayMs },
      'failed to handle a message; it will be redelivered',
    );
    message.nak(retryDelayMs);
  }
}

/** @throws PoisonMessage */
function readBody<Schema extends TSchema>(
  message: JsMsg,
  { schema, verify }: Pick<ConsumeOptions<Schema>, 'schema' | 'verify'>,
): { body: Static<Schema>; received: unknown } {
  const received = parseJson(message.string());
  if (received === undefined) throw new PoisonMessage('The message is not JSON.');
  const fault = verify?.(received) ?? null;
  if (fault !== null) throw new PoisonMessage(fault);
  const reader = openReader(schema);
  const body = reader.read(received);
  if (body === null) throw new PoisonMessage(`The message is invalid: ${reader.describeMismatch(received)}.`);
  return { body, received };
}

/** Ends the message in its stream only when the dead letters have it. */
async function bury(
  bus: Bus,
  message: JsMsg,
  { stream, durable, logger }: Pick<ConsumeOptions<TSchema>, 'stream' | 'durable' | 'logger'>,
  error: Error,
): Promise<void> {
  const log = { err: error, stream, durable, subject: message.subject, sequence: message.seq };
  try {
    await storeDeadLetter(bus, message, { stream, consumer: durable, reason: error.message });
  } catch (failure) {
    logger.error({ ...log, err: failure }, 'failed to store a dead letter; the message will be redelivered');
    message.nak(MAX_RETRY_DELAY_MS);
    return;
  }
  message.term();
  bus.reportDeadLetter(durable);
  logger.error(log, 'moved a message that cannot be handled to the dead letters');
}

function retryDelay(deliveries: number): number {
  return Math.min(FIRST_RETRY_DELAY_MS * 2 ** (deliveries - 1), MAX_RETRY_DELAY_MS);
}
