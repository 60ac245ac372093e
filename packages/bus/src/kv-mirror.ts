import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { Bus } from './connection.ts';
import { isStreamNotFound } from './jetstream-errors.ts';
import {
  type BucketListener,
  type BucketStatus,
  type BucketWatch,
  readStatus,
  watchBucket,
} from './kv-watch.ts';
import type { BusLogger } from './logger.ts';

const STATUS_INTERVAL_MS = 10_000;
const STATUS_TIMEOUT_MS = 2_000;
/**
 * Interval while the bucket is missing or unreadable, and for a while after a reconnect, when it may still be replaced.
 */
const ALERT_INTERVAL_MS = 500;
const ALERT_AFTER_RECONNECT_MS = 10_000;

export interface MirrorOptions extends BucketListener {
  logger: BusLogger;
  /** NATS confirms the bucket at least this often. */
  statusIntervalMs?: number;
  clock?: { now(): number };
}

export interface BucketMirror {
  stop(): Promise<void>;
  /**
   * When NATS last confirmed that the bucket is still the mirrored one (ms since the epoch, by `clock`); null before
   * the first snapshot. The mirror's age is the time since then.
   */
  lastConfirmedAt(): number | null;
}

/**
 * Keeps a copy of a bucket up to date: one snapshot, then every write within milliseconds. While NATS is down or the
 * bucket is missing, the listener is not called and the copy stays. A new snapshot replaces the copy after every
 * reconnect, and when the bucket was created again (its creation time changes) or its watch has fallen behind: such a
 * watch does not report that it will never deliver again.
 */
export function mirrorBucket(bus: Bus, name: string, options: MirrorOptions): BucketMirror {
  const { logger, clock = Date } = options;
  const statusIntervalMs = Math.min(STATUS_INTERVAL_MS, options.statusIntervalMs ?? STATUS_INTERVAL_MS);
  const log = createTroubleLog(name, logger);
  let watch: BucketWatch | null = null;
  let confirmedAt: number | null = null;
  /** The bucket's last sequence at the previous check. The watch must have delivered it by now. */
  let dueSequence = 0;
  let alertUntil = 0;
  let stopped = false;
  let turn = new AbortController();

  function dropWatch(): void {
    watch?.stop();
    watch = null;
  }

  function interrupt(): void {
    dropWatch();
    turn.abort();
  }

  async function run(): Promise<void> {
    const kv = await new Kvm(jetstream(bus.nats, { timeout: STATUS_TIMEOUT_MS })).open(name);
    while (!stopped) {
      turn = new AbortController();
      const { signal } = turn;
      const mirrored = await Promise.race([confirm(kv, signal), aborted(signal)]);
      const calm = mirrored && clock.now() >= alertUntil;
      const pauseMs = calm ? statusIntervalMs : Math.min(ALERT_INTERVAL_MS, statusIntervalMs);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    dropWatch();
  }

  /** Resolves to whether the mirror is up to date. Never rejects. */
  async function confirm(kv: KV, signal: AbortSignal): Promise<boolean> {
    if (!bus.isConnected()) return false;
    const requestedAt = clock.now();
    try {
      const status = await readStatus(kv);
      if (signal.aborted) return false;
      if (isUpToDate(status)) dueSequence = status.lastSequence;
      else await reopen(kv, status, signal);
      if (signal.aborted) return false;
      confirmedAt = requestedAt;
      log.allIsWell();
      return true;
    } catch (error) {
      if (!signal.aborted) log.trouble(error);
      return false;
    }
  }

  function isUpToDate(status: BucketStatus): boolean {
    return (
      watch !== null &&
      !watch.hasEnded() &&
      watch.createdAt === status.createdAt &&
      watch.coveredSequence() >= dueSequence
    );
  }

  async function reopen(kv: KV, status: BucketStatus, signal: AbortSignal): Promise<void> {
    dropWatch();
    const opened = await watchBucket(kv, status, unlessAborted(options, signal), logger);
    if (signal.aborted) {
      opened.stop();
      return;
    }
    watch = opened;
    dueSequence = 0;
    logger.info({ bucket: name }, 'bucket mirrored');
  }

  const unlisten = bus.onReconnect(() => {
    alertUntil = clock.now() + ALERT_AFTER_RECONNECT_MS;
    interrupt();
  });
  const running = run();

  return {
    lastConfirmedAt: () => confirmedAt,
    async stop() {
      stopped = true;
      unlisten();
      interrupt();
      await running;
    },
  };
}

/** A watch that is still opening when its turn ends must not write into the snapshot of the next one. */
function unlessAborted(listener: BucketListener, signal: AbortSignal): BucketListener {
  return {
    onSnapshot(entries, createdAt) {
      signal.throwIfAborted();
      listener.onSnapshot(entries, createdAt);
    },
    onEntry: (key, value) => listener.onEntry(key, value),
  };
}

function aborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }));
}

/** Logs a state once when it starts, not at every check. */
function createTroubleLog(bucket: string, logger: BusLogger) {
  let current = '';
  return {
    trouble(error: unknown): void {
      const message = isStreamNotFound(error)
        ? 'the bucket is missing; the mirror keeps its entries until the bucket is created again'
        : 'failed to read the bucket; the mirror keeps its entries';
      if (message === current) return;
      current = message;
      logger.warn({ err: error, bucket }, message);
    },
    allIsWell(): void {
      current = '';
    },
  };
}
