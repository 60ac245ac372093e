import { MAX_CONFIRMED_WINDOWS } from '@tollgate/contracts/usage/rpc';
import type { UsageWindow } from '@tollgate/contracts/usage/usage';
import type { Logger } from '@tollgate/runtime/logger';
import type { UsageSpool } from './usage-spool.ts';
import type { WindowCounts } from './window-counts.ts';
import { readWindow } from './window-file.ts';

/**
 * A window that the stream has but the usage service still lacks after this time is published again: the stream may
 * have lost it.
 */
const REPUBLISH_AFTER_MS = 30_000;
/** Windows kept in memory until they are published: one minute. Older ones are read from their files. */
const MAX_REMEMBERED = 60;

export interface WindowShipper {
  /** Reports a closed window. Call `ship` soon after. */
  closed(number: number, window: { at: Date; counts: WindowCounts }): void;
  /**
   * Publishes unpublished windows, asks which are stored, and forgets those. Throws the errors of publishing and
   * asking; no window is lost.
   */
  ship(): Promise<void>;
}

/**
 * Ships windows to the usage service at least once: a window is forgotten only after that service confirms that it is
 * stored.
 */
export function createWindowShipper(deps: {
  spool: UsageSpool;
  publish: (window: UsageWindow) => Promise<void>;
  /** Returns those of these numbers that the usage service has stored. */
  confirm: (gatewayId: string, numbers: number[]) => Promise<number[]>;
  logger: Logger;
}): WindowShipper {
  const { spool, publish, confirm, logger } = deps;
  const { gatewayId } = spool;
  const remembered = new Map<number, UsageWindow>();
  /** Time of each window's last publication, by a monotonic clock. */
  const publishedAt = new Map<number, number>();
  const unreadable = new Set<number>();

  function windowOf(number: number): UsageWindow | null {
    const known = remembered.get(number);
    if (known) return known;
    const read = readWindow(spool.read(number));
    if (!read) return null;
    const window = read.counts.toWindow({ gateway_id: gatewayId, number, at: read.at.toISOString() });
    return isEmpty(window) ? null : window;
  }

  async function publishOne(number: number): Promise<void> {
    let window: UsageWindow | null;
    try {
      window = windowOf(number);
    } catch (error) {
      unreadable.add(number);
      logger.error({ err: error, sequence: number }, 'failed to read a usage window; its file is kept');
      return;
    }
    if (window === null) {
      // Opened, but the process was killed before it recorded a request.
      spool.forget(number);
      return;
    }
    await publish(window);
    remembered.delete(number);
    publishedAt.set(number, performance.now());
  }

  async function dropStored(): Promise<void> {
    const numbers = [...publishedAt.keys()].slice(0, MAX_CONFIRMED_WINDOWS);
    if (numbers.length === 0) return;
    for (const number of await confirm(gatewayId, numbers)) {
      publishedAt.delete(number);
      spool.forget(number);
    }
  }

  function isDue(number: number): boolean {
    const at = publishedAt.get(number);
    return at === undefined || performance.now() - at > REPUBLISH_AFTER_MS;
  }

  return {
    closed(number, { at, counts }) {
      if (remembered.size >= MAX_REMEMBERED) return;
      remembered.set(number, counts.toWindow({ gateway_id: gatewayId, number, at: at.toISOString() }));
    },

    async ship() {
      await dropStored();
      for (const number of spool.closedWindows()) {
        if (!unreadable.has(number) && isDue(number)) await publishOne(number);
      }
    },
  };
}

function isEmpty({ rows, log }: UsageWindow): boolean {
  return rows.length === 0 && log.lines.length === 0;
}
