import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { type UsageWindow, usageWindowId } from '@tollgate/contracts/usage/usage';
import { insertMissing } from '@tollgate/store/insert-missing';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';
import { DIVISIONS } from '../periods/granularity.ts';

/**
 * Older windows are rejected: others of their minute may have expired, and a minute is computed from all of its windows
 * or not at all.
 */
const WINDOWS_TAKEN_MS = 7 * DAY_MS;
/**
 * A day longer than windows are accepted, so that one accepted at the last moment is rolled up while all windows of its
 * minute exist.
 */
const WINDOWS_KEPT_MS = WINDOWS_TAKEN_MS + DAY_MS;

/** A window as stored. */
export interface StoredWindow extends Pick<UsageWindow, 'gateway_id' | 'number' | 'rows'> {
  _id: string;
  at: Date;
  /** The minute that contains the window. */
  minute: Date;
  /** The teams whose requests it contains, for queries of one team. */
  team_ids: string[];
  /** True when its minutes include it. */
  is_rolled_up: boolean;
  /** Absent until it is rolled up: an uncounted window never expires. */
  expires_at?: Date;
}

export const WINDOW_INDEXES: readonly IndexDeclaration[] = [
  { key: { minute: 1 }, name: 'minute', purpose: 'The roll-up: every window of a minute' },
  {
    key: { is_rolled_up: 1, minute: 1 },
    name: 'to_roll_up',
    partialFilterExpression: { is_rolled_up: false },
    purpose: 'The roll-up: windows that no minute includes yet',
  },
  {
    key: { expires_at: 1 },
    name: 'expiry',
    expireAfterSeconds: 0,
    purpose: 'Deletes windows that their minutes include',
  },
];

export function isTooLate(window: Pick<UsageWindow, 'at'>, nowMs: number): boolean {
  return Date.parse(window.at) < nowMs - WINDOWS_TAKEN_MS;
}

export type WindowStore = ReturnType<typeof createWindowStore>;

export function createWindowStore(connection: Connection) {
  const collection = connection.collection<StoredWindow>('windows');

  return {
    /** Stores the windows that do not exist yet, and resolves to them. */
    insertMissing: (windows: UsageWindow[]) => insertMissing(collection, windows, storedWindow),

    /** Windows of all teams that no minute includes yet, those of the oldest minutes first. */
    listToRollUp: (limit: number): Promise<StoredWindow[]> =>
      collection.find({ is_rolled_up: false }).sort({ minute: 1 }).limit(limit).toArray(),

    /** Every window of a minute, of all gateways. */
    listOfMinute: (minute: Date): AsyncIterable<StoredWindow> => collection.find({ minute }),

    /** All windows of a minute expire at the same time after it. */
    async markRolledUp(windows: readonly StoredWindow[]): Promise<void> {
      const byMinute = Map.groupBy(windows, ({ minute }) => minute.getTime());
      if (byMinute.size === 0) return;
      await collection.bulkWrite(
        [...byMinute].map(([minuteMs, ofMinute]) => ({
          updateMany: {
            filter: { _id: { $in: ofMinute.map(({ _id }) => _id) } },
            update: { $set: { is_rolled_up: true, expires_at: new Date(minuteMs + WINDOWS_KEPT_MS) } },
          },
        })),
        { ordered: false },
      );
    },

    /** Windows of all teams that no minute includes yet. */
    countToRollUp: () => collection.countDocuments({ is_rolled_up: false }),

    /** Windows of the team that no minute includes yet. */
    async waiting(teamId: string): Promise<{ windows: number; oldestAt: Date | null }> {
      const filter = { is_rolled_up: false, team_ids: teamId };
      const [windows, [oldest]] = await Promise.all([
        collection.countDocuments(filter),
        collection.find(filter).sort({ minute: 1 }).limit(1).toArray(),
      ]);
      return { windows, oldestAt: oldest?.minute ?? null };
    },
  };
}

function storedWindow(window: UsageWindow): StoredWindow {
  const { gateway_id, number, rows } = window;
  const at = new Date(window.at);
  return {
    _id: usageWindowId(window),
    gateway_id,
    number,
    at,
    minute: new Date(DIVISIONS.minute.pointOf(at.getTime())),
    team_ids: [...new Set(rows.map(({ team_id }) => team_id))],
    rows,
    is_rolled_up: false,
  };
}
