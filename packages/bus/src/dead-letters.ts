import {
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
  type StoredMsg,
} from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { DEAD_LETTERS_STREAM, deadLetterSubject } from '@tollgate/contracts/platform/streams';
import type { Bus } from './connection.ts';
import { ensureStream } from './streams.ts';

/** Longer reasons are cut, because they travel in a header. */
const MAX_REASON_LENGTH = 500;

const FIELDS = {
  stream: 'tollgate-stream',
  subject: 'tollgate-subject',
  sequence: 'tollgate-sequence',
  consumer: 'tollgate-consumer',
  deliveries: 'tollgate-deliveries',
  reason: 'tollgate-reason',
} as const;

/** A message that a consumer could not handle, with its body unchanged. */
export interface DeadLetter {
  /** Position among the dead letters. */
  sequence: number;
  /** Durable consumer that could not handle the message. */
  consumer: string;
  /** Where the message came from: stream, subject, and position in the stream. */
  stream: string;
  subject: string;
  originalSequence: number;
  reason: string;
  /** How often the consumer received the message. */
  deliveries: number;
  deadAt: Date;
  body: string;
}

/** Stores a message as a dead letter. Resolves when the stream has it; within the dedupe window, only once. */
export async function storeDeadLetter(
  bus: Bus,
  message: JsMsg,
  { stream, consumer, reason }: { stream: string; consumer: string; reason: string },
): Promise<void> {
  await ensureStream(bus, DEAD_LETTERS_STREAM);
  const fields = headers();
  fields.set(FIELDS.stream, stream);
  fields.set(FIELDS.subject, message.subject);
  fields.set(FIELDS.sequence, String(message.seq));
  fields.set(FIELDS.consumer, consumer);
  fields.set(FIELDS.deliveries, String(message.info.deliveryCount));
  fields.set(FIELDS.reason, headerText(reason));
  await jetstream(bus.nats).publish(deadLetterSubject(consumer), message.data, {
    headers: fields,
    msgID: `${consumer}/${stream}/${message.seq}/${message.info.timestampNanos}`,
  });
}

/** Returns the stored dead letters, oldest first. */
export async function* listDeadLetters(bus: Bus): AsyncGenerator<DeadLetter> {
  const manager = await openManager(bus);
  const { state } = await manager.streams.info(DEAD_LETTERS_STREAM);
  for (let sequence = Math.max(1, state.first_seq); sequence <= state.last_seq; sequence += 1) {
    const stored = await find(manager, sequence);
    if (stored) yield toDeadLetter(stored);
  }
}

/**
 * Publishes the message on its original subject again, for every consumer of its stream, and then deletes the dead
 * letter. Consumers are idempotent, so those that had handled the message ignore it. Returns false if the dead letter
 * does not exist.
 */
export async function replayDeadLetter(bus: Bus, sequence: number): Promise<boolean> {
  const manager = await openManager(bus);
  const stored = await find(manager, sequence);
  if (!stored) return false;
  // The position makes a replay that is repeated after a crash one message, and not the same message as the original.
  await jetstream(bus.nats).publish(stored.header.get(FIELDS.subject), stored.data, {
    msgID: `replay/${sequence}/${stored.time.getTime()}`,
  });
  await manager.streams.deleteMessage(DEAD_LETTERS_STREAM, sequence);
  return true;
}

/** Deletes a dead letter permanently. Returns false if it does not exist. */
export async function discardDeadLetter(bus: Bus, sequence: number): Promise<boolean> {
  const manager = await openManager(bus);
  if (!(await find(manager, sequence))) return false;
  return manager.streams.deleteMessage(DEAD_LETTERS_STREAM, sequence);
}

async function openManager(bus: Bus): Promise<JetStreamManager> {
  await ensureStream(bus, DEAD_LETTERS_STREAM);
  return jetstreamManager(bus.nats, { checkAPI: false });
}

function find(manager: JetStreamManager, sequence: number): Promise<StoredMsg | null> {
  return manager.streams.getMessage(DEAD_LETTERS_STREAM, { seq: sequence });
}

function toDeadLetter({ seq, header, time, data }: StoredMsg): DeadLetter {
  return {
    sequence: seq,
    consumer: header.get(FIELDS.consumer),
    stream: header.get(FIELDS.stream),
    subject: header.get(FIELDS.subject),
    originalSequence: Number(header.get(FIELDS.sequence)),
    reason: header.get(FIELDS.reason),
    deliveries: Number(header.get(FIELDS.deliveries)),
    deadAt: time,
    body: new TextDecoder().decode(data),
  };
}

/** A header holds one line of visible characters. */
function headerText(reason: string): string {
  return reason.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, MAX_REASON_LENGTH);
}
