import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { STREAMS, type StreamName } from '@tollgate/contracts/streams';
import type { Bus } from './connection.ts';
import { isStreamNotFound } from './jetstream-errors.ts';

/**
 * A message that is published again with the same id within this time is stored once. Consumers are idempotent beyond
 * it.
 */
const DEDUPE_WINDOW_MS = 2 * 60 * 1000;

/** JetStream's code for "stream name already in use with a different configuration". */
const STREAM_NAME_IN_USE = 10058;

const STREAM_NAMES = Object.keys(STREAMS) as StreamName[];

/**
 * Creates missing streams. Existing streams keep their operator's configuration, except that missing subjects are
 * added, which requires the permission to manage the stream.
 */
export async function ensureStreams(bus: Bus, names: readonly StreamName[] = STREAM_NAMES): Promise<void> {
  const manager = await jetstreamManager(bus.nats, { checkAPI: false });
  for (const name of names) {
    const present = await subjectsOf(manager, name);
    const wanted: string[] = [...STREAMS[name].subjects];
    if (present === null) await addStream(manager, name, bus.replicas);
    else if (!wanted.every((subject) => present.includes(subject))) {
      await manager.streams.update(name, { subjects: [...new Set([...present, ...wanted])] });
    }
  }
}

/** Creates the stream if it is missing, as it is after NATS lost its store. Publisher and consumer do so automatically. */
export async function ensureStreamExists(bus: Bus, name: StreamName): Promise<void> {
  const manager = await jetstreamManager(bus.nats, { checkAPI: false });
  if ((await subjectsOf(manager, name)) === null) await addStream(manager, name, bus.replicas);
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

async function addStream(manager: JetStreamManager, name: StreamName, replicas: number): Promise<void> {
  try {
    await manager.streams.add({
      name,
      subjects: [...STREAMS[name].subjects],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      max_age: nanos(STREAMS[name].maxAgeMs),
      duplicate_window: nanos(DEDUPE_WINDOW_MS),
      num_replicas: replicas,
    });
  } catch (error) {
    // Another process created it a moment earlier with a different configuration, such as more replicas.
    if (error instanceof JetStreamApiError && error.code === STREAM_NAME_IN_USE) return;
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
