import { createLeases } from '@tollgate/store/lease';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import { type StoredEvent, UNPLACED } from '../fan-out/event.ts';
import type { EventFilter } from '../fan-out/event-store.ts';

/** Who gives places, and the last one given. One document for all teams. */
interface PlacingDocument {
  _id: 'feed';
  holder: string;
  leased_until: Date;
  last_position: number;
}

const UNPLACED_FIELDS = {
  team_id: 1,
  payment_id: 1,
  payment_version: 1,
  is_test: 1,
  last_queued_at: 1,
} as const;

/** An event without a place in the feed, as far as its place depends on it. */
export type UnplacedEvent = Pick<StoredEvent, '_id' | keyof typeof UNPLACED_FIELDS>;

const PLACING = 'feed';
/** Above the rate at which places are given. The places have 15 digits, which a number represents exactly. */
const PLACES_PER_MS = 100;
const READ_AT_ONCE = 100;

/**
 * The places of events in the feed: rising numbers, in the order in which the feed returns the events of every team. They follow
 * the clock, so that those given after the restore of a backup are above all that readers have seen.
 */
export function createFeedStore(connection: Connection) {
  const events = connection.collection<StoredEvent>('events');
  const placing = connection.collection<PlacingDocument>('feed_placing');
  const leases = createLeases<PlacingDocument>(placing, { until: 'leased_until', token: 'holder' });

  return {
    /** Events of every team without a place in the feed, after the id `after`, in order of their ids. */
    listUnplaced: (after: string, limit: number): Promise<UnplacedEvent[]> =>
      events
        .find({ ...UNPLACED, _id: { $gt: after } }, { projection: UNPLACED_FIELDS })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),

    /** The versions of these payments that have a place, as `<payment id>/<version>`. */
    async listPlacedVersions(payments: readonly UnplacedEvent[]): Promise<Set<string>> {
      if (payments.length === 0) return new Set();
      const placed = await events
        .find(
          {
            team_id: { $in: [...new Set(payments.map(({ team_id }) => team_id))] },
            payment_id: { $in: [...new Set(payments.map(({ payment_id }) => payment_id))] },
            feed_position: { $gt: 0 },
          },
          { projection: { payment_id: 1, payment_version: 1 } },
        )
        .toArray();
      return new Set(placed.map(({ payment_id, payment_version }) => `${payment_id}/${payment_version}`));
    },

    /** Whether this instance may give places until then. One instance at a time does, so that places rise in time. */
    async lease(holder: string, now: Date, until: Date): Promise<boolean> {
      const update = { $set: { holder }, $max: { last_position: now.getTime() * PLACES_PER_MS } };
      const options = { own: { holder }, update, insert: {} };
      return (await leases.acquire({ _id: PLACING }, { now, until }, options)) !== null;
    },

    /** Reserves places, which a crash may leave unused. Returns the first one; null when another instance has the lease. */
    async reserve(holder: string, count: number): Promise<number | null> {
      const reserved = await placing.findOneAndUpdate(
        { _id: PLACING, holder },
        { $inc: { last_position: count } },
        { returnDocument: 'before' },
      );
      return reserved && reserved.last_position + 1;
    },

    /** Gives consecutive places, in this order: a reader that sees one also sees those before it. */
    async place(placed: readonly UnplacedEvent[], first: number): Promise<void> {
      await events.bulkWrite(
        placed.map(({ _id, team_id }, index) => ({
          updateOne: {
            filter: { _id, team_id, ...UNPLACED },
            update: { $set: { feed_position: first + index } },
          },
        })),
        { ordered: true },
      );
    },

    /** The place of an event of the team: null when it has none yet, undefined when the event is not stored. */
    async positionOf(team_id: string, _id: string): Promise<number | null | undefined> {
      return (await events.findOne({ _id, team_id }, { projection: { feed_position: 1 } }))?.feed_position;
    },

    /** The last place of the team; 0 without events. */
    async newestPosition(team_id: string): Promise<number> {
      const newest = await events.findOne(
        { team_id, feed_position: { $gt: 0 } },
        { projection: { feed_position: 1 }, sort: { feed_position: -1 } },
      );
      return newest?.feed_position ?? 0;
    },

    /** The team's events after a place, at most `limit`. Those that do not match the filter are left to the caller. */
    listAfter: (team_id: string, position: number, limit: number) =>
      events
        .find<StoredEvent & { feed_position: number }>({ team_id, feed_position: { $gt: position } })
        .sort({ feed_position: 1 })
        .limit(limit)
        .batchSize(READ_AT_ONCE)
        .maxTimeMS(QUERY_TIME_MS),
  };
}

export function matches(event: StoredEvent, filter: EventFilter): boolean {
  const fields = Object.keys(filter) as (keyof EventFilter)[];
  return fields.every((field) => filter[field] === event[field]);
}
