import { type UsageWindow, type UsageWindowRow, usageWindowId } from '@tollgate/contracts/usage/usage';
import { insertMissing } from '@tollgate/store/insert-missing';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';
import { DIVISIONS } from '../periods/granularity.ts';
import { WINDOWS_KEPT_MS } from './window-age.ts';

interface WindowDocument {
  _id: string;
  gateway_id: string;
  number: number;
  at: Date;
  /** The minute that contains the window. */
  minute: Date;
  /** The teams whose requests it contains, for queries of one team. */
  team_ids: string[];
  rows: UsageWindowRow[];
  /** True when its minutes include it. */
  is_rolled_up: boolean;
  /** Absent until it is rolled up: an uncounted window never expires. */
  expires_at?: Date;
}

/** A window in the form that roll-up needs. */
export interface StoredWindow {
  id: string;
  /** Start of its minute, ms since the epoch. */
  minuteMs: number;
  rows: UsageWindowRow[];
}

export interface WindowStore {
  /** Stores the windows that do not exist yet, and resolves to them. */
  insertMissing(windows: UsageWindow[]): Promise<UsageWindow[]>;
  /** Windows of all teams that no minute includes yet, those of the oldest minutes first. */
  listToRollUp(limit: number): Promise<StoredWindow[]>;
  /** Every window of a minute, of all gateways. */
  listOfMinute(minuteMs: number): AsyncIterable<StoredWindow>;
  /** All windows of a minute expire at the same time after it. */
  markRolledUp(windows: readonly StoredWindow[]): Promise<void>;
  /** Windows that no minute includes yet, of one team, or of all teams with null. */
  waiting(teamId: string | null): Promise<{ windows: number; oldestAt: Date | null }>;
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

export function createWindowStore(connection: Connection): WindowStore {
  const collection = connection.collection<WindowDocument>('windows');

  return {
    insertMissing: (windows) => insertMissing(collection, windows, toDocument),

    async listToRollUp(limit) {
      const documents = await collection
        .find({ is_rolled_up: false })
        .sort({ minute: 1 })
        .limit(limit)
        .toArray();
      return documents.map(toStored);
    },

    async *listOfMinute(minuteMs) {
      for await (const document of collection.find({ minute: new Date(minuteMs) })) yield toStored(document);
    },

    async markRolledUp(windows) {
      const byMinute = Map.groupBy(windows, ({ minuteMs }) => minuteMs);
      if (byMinute.size === 0) return;
      await collection.bulkWrite(
        [...byMinute].map(([minuteMs, ofMinute]) => ({
          updateMany: {
            filter: { _id: { $in: ofMinute.map(({ id }) => id) } },
            update: { $set: { is_rolled_up: true, expires_at: new Date(minuteMs + WINDOWS_KEPT_MS) } },
          },
        })),
        { ordered: false },
      );
    },

    async waiting(teamId) {
      const filter = { is_rolled_up: false, ...(teamId !== null && { team_ids: teamId }) };
      const [windows, [oldest]] = await Promise.all([
        collection.countDocuments(filter),
        collection.find(filter).sort({ minute: 1 }).limit(1).toArray(),
      ]);
      return { windows, oldestAt: oldest?.minute ?? null };
    },
  };
}

function toDocument(window: UsageWindow): WindowDocument {
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

function toStored({ _id, minute, rows }: WindowDocument): StoredWindow {
  return { id: _id, minuteMs: minute.getTime(), rows };
}
