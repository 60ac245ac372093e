import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import {
  type EventDocument,
  type EventFilter,
  type StoredEvent,
  toEvent,
  UNPLACED,
} from '../fan-out/event-store.ts';

/** An event without a place in the feed, as far as its place depends on it. */
export interface UnplacedEvent {
  id: string;
  teamId: string;
  paymentId: string;
  paymentVersion: number;
  isTest: boolean;
  storedAt: Date;
}

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
const PLACING = 'feed';
/** Above the rate at which places are given. The places have 15 digits, which a number represents exactly. */
const PLACES_PER_MS = 100;
const READ_AT_ONCE = 100;

export type FeedStore = ReturnType<typeof createFeedStore>;

/**
 * The places of events in the feed: rising numbers, in the order in which the feed returns the events of every team. They follow
 * the clock, so that those given after the restore of a backup are above all that readers have seen.
 */
export function createFeedStore(connection: Connection) {
  const events = connection.collection<EventDocument>('events');
  const placing = connection.collection<PlacingDocument>('feed_placing');

  return {
    /** Events of every team without a place in the feed, after the id `after`, in order of their ids. */
    async listUnplaced(after: string, limit: number): Promise<UnplacedEvent[]> {
      const found = await events
        .find({ ...UNPLACED, _id: { $gt: after } }, { projection: UNPLACED_FIELDS })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(toUnplaced);
    },

    /** The versions of these payments that have a place, as `<payment id>/<version>`. */
    async listPlacedVersions(payments: readonly UnplacedEvent[]): Promise<Set<string>> {
      if (payments.length === 0) return new Set();
      const placed = await events
        .find(
          {
            team_id: { $in: [...new Set(payments.map(({ teamId }) => teamId))] },
            payment_id: { $in: [...new Set(payments.map(({ paymentId }) => paymentId))] },
            feed_position: { $gt: 0 },
          },
          { projection: { payment_id: 1, payment_version: 1 } },
        )
        .toArray();
      return new Set(placed.map(({ payment_id, payment_version }) => `${payment_id}/${payment_version}`));
    },

    /** Whether this instance may give places until then. One instance at a time does, so that places rise in time. */
    async lease(holder: string, now: Date, until: Date): Promise<boolean> {
      return wroteUnlessDuplicate(
        placing.updateOne(
          { _id: PLACING, $or: [{ holder }, { leased_until: { $lte: now } }] },
          { $set: { holder, leased_until: until }, $max: { last_position: now.getTime() * PLACES_PER_MS } },
          { upsert: true },
        ),
      );
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
        placed.map(({ id, teamId }, index) => ({
          updateOne: {
            filter: { _id: id, team_id: teamId, ...UNPLACED },
            update: { $set: { feed_position: first + index } },
          },
        })),
        { ordered: true },
      );
    },

    /** The place of an event of the team: null when it has none yet, undefined when the event is not stored. */
    async positionOf(teamId: string, eventId: string): Promise<number | null | undefined> {
      const found = await events.findOne(
        { _id: eventId, team_id: teamId },
        { projection: { feed_position: 1 } },
      );
      return found?.feed_position;
    },

    /** The last place of the team; 0 without events. */
    async newestPosition(teamId: string): Promise<number> {
      const newest = await events.findOne(
        { team_id: teamId, feed_position: { $gt: 0 } },
        { projection: { feed_position: 1 }, sort: { feed_position: -1 } },
      );
      return newest?.feed_position ?? 0;
    },

    /** The team's events after a place, at most `limit`. Those that do not match the filter are left to the caller. */
    async *listAfter(teamId: string, position: number, limit: number) {
      const cursor = events
        .find({ team_id: teamId, feed_position: { $gt: position } })
        .sort({ feed_position: 1 })
        .limit(limit)
        .batchSize(READ_AT_ONCE)
        .maxTimeMS(QUERY_TIME_MS);
      for await (const document of cursor) {
        yield { position: document.feed_position as number, event: toEvent(document) };
      }
    },
  };
}

function toUnplaced(document: EventDocument): UnplacedEvent {
  return {
    id: document._id,
    teamId: document.team_id,
    paymentId: document.payment_id,
    paymentVersion: document.payment_version,
    isTest: document.is_test,
    storedAt: document.last_queued_at,
  };
}

export function matches(event: StoredEvent, filter: EventFilter): boolean {
  return (
    (filter.applicationId === undefined || filter.applicationId === event.applicationId) &&
    (filter.environment === undefined || filter.environment === event.environment) &&
    (filter.type === undefined || filter.type === event.type) &&
    (filter.paymentId === undefined || filter.paymentId === event.paymentId)
  );
}
