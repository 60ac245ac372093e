import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { STREAMS, type StreamName } from '@tollgate/contracts/platform/streams';
import type { Bus } from './connection.ts';
import { isStreamNotFound } from './jetstream-errors.ts';

/**
 * A message that is published again with the same id within this time is stored once. Consumers are idempotent beyond
 * it.
 */
const DEDUPE_WINDOW_MS = 2 * 60 * 1000;

/** JetStream's code for "stream name already in use with a different configuration". */
const STREAM_NAME_IN_USE = 10058;

/** JetStream's code for "insufficient storage resources available". */
const INSUFFICIENT_STORAGE = 10047;

const STREAM_NAMES = Object.keys(STREAMS) as StreamName[];

/** Creates the streams that are missing. */
export async function ensureStreams(bus: Bus): Promise<void> {
  for (const name of STREAM_NAMES) await ensureStream(bus, name);
}

/**
 * Creates the stream if it is missing, as it is after NATS lost its store. An existing stream keeps its operator's
 * configuration. Throws if it does not store a subject: a process that could change a stream could have it store, and so
 * read, the messages of others.
 */
export async function ensureStream(bus: Bus, name: StreamName): Promise<void> {
  const manager = await jetstreamManager(bus.nats, { checkAPI: false });
  const present = await subjectsOf(manager, name);
  if (present === null) return addStream(manager, name, bus);
  const missing = STREAMS[name].subjects.filter((subject) => !present.includes(subject));
  if (missing.length === 0) return;
  throw new Error(
    `The stream ${name} does not store ${missing.join(', ')}. Add it as the NATS user operator: nats stream edit ${name} --subjects "${[...present, ...missing].join(',')}".`,
  );
}

/**
 * Returns the stream that stores messages of this subject. Throws if there is none, because the message would be lost.
 */
export function streamOfSubject(subject: string): StreamName {
  for (const [name, { subjects }] of Object.entries(STREAMS)) {
    if (subjects.some((pattern) => subjectMatches(pattern, subject))) return name as StreamName;
  }
  throw new Error(
    `No stream stores the subject "${subject}". Add it to STREAMS in @tollgate/contracts/streams.`,
  );
}

async function addStream(
  manager: JetStreamManager,
  name: StreamName,
  { replicas, streamMaxBytes }: Bus,
): Promise<void> {
  try {
    await manager.streams.add({
      name,
      subjects: [...STREAMS[name].subjects],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      max_bytes: streamMaxBytes,
      max_age: nanos(STREAMS[name].maxAgeMs),
      duplicate_window: nanos(DEDUPE_WINDOW_MS),
      num_replicas: replicas,
    });
  } catch (error) {
    // Another process created it a moment earlier with a different configuration, such as more replicas.
    if (error instanceof JetStreamApiError && error.code === STREAM_NAME_IN_USE) return;
    if (error instanceof JetStreamApiError && error.code === INSUFFICIENT_STORAGE) {
      throw new Error(
        `NATS has no room for the stream ${name} of ${streamMaxBytes} bytes. Set NATS_STREAM_MAX_BYTES lower, or give NATS a larger disk.`,
        { cause: error },
      );
    }
    throw error;
  }
}

async function subjectsOf(manager: JetStreamManager, name: StreamName): Promise<string[] | null> {
  try {
    return (await manager.streams.info(name)).config.subjects ?? [];
  } catch (error) {
    if (isStreamNotFound(error)) return null;
    throw error;
  }
}

function subjectMatches(pattern: string, subject: string): boolean {
  if (pattern.endsWith('.>'))
    return subject.startsWith(pattern.slice(0, -1)) && subject.length >= pattern.length;
  return pattern === subject;
}
