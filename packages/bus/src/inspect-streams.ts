import { jetstreamManager } from '@nats-io/jetstream';
import { PermissionViolationError } from '@nats-io/transport-node';
import { STREAMS, type StreamName } from '@tollgate/contracts/platform/streams';
import type { Bus } from './connection.ts';
import { isStreamNotFound } from './jetstream-errors.ts';
import type { ProcessName } from './permissions/process-table.ts';
import { subjectsOf } from './permissions/subjects.ts';

const NS_PER_MS = 1_000_000;

/** How a stream, or the stream of a bucket, is configured. */
export interface StreamStatus {
  replicas: number;
  /** Null without a limit. */
  maxBytes: number | null;
  maxAgeMs: number | null;
  bytes: number;
  /** Subjects that the platform publishes to and that the stream does not store. */
  missingSubjects: string[];
  /** When the server replied by its clock. Null for servers before 2.10. */
  serverTimeMs: number | null;
}

/** Names of the streams whose status the process may read: those that it needs. */
export function streamsOfProcess(name: ProcessName): string[] {
  return subjectsOf(name).publish.flatMap(
    (subject) => /^\$JS\.API\.STREAM\.INFO\.(\w+)$/.exec(subject)?.[1] ?? [],
  );
}

/** Resolves to `missing` for a stream that no process has created yet, and to `denied` without the permission to read it. */
export async function inspectStream(bus: Bus, name: string): Promise<StreamStatus | 'missing' | 'denied'> {
  const manager = await jetstreamManager(bus.nats, { checkAPI: false });
  try {
    const { config, state, ts } = await manager.streams.info(name);
    const stored = config.subjects ?? [];
    const needed = STREAMS[name as StreamName]?.subjects ?? [];
    return {
      replicas: config.num_replicas,
      maxBytes: config.max_bytes > 0 ? config.max_bytes : null,
      maxAgeMs: config.max_age > 0 ? config.max_age / NS_PER_MS : null,
      bytes: state.bytes,
      missingSubjects: needed.filter((subject) => !stored.includes(subject)),
      serverTimeMs: ts === undefined ? null : Date.parse(ts),
    };
  } catch (error) {
    if (isStreamNotFound(error)) return 'missing';
    if (error instanceof Error && error.cause instanceof PermissionViolationError) return 'denied';
    throw error;
  }
}

/** Version of the server, and whether it stores streams. */
export function serverOf(bus: Bus): { version: string; hasJetStream: boolean } {
  const { info } = bus.nats;
  return { version: info?.version ?? '', hasJetStream: info?.jetstream === true };
}
