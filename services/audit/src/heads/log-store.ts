import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import type { Connection } from 'mongoose';

interface Log {
  /** Id of the team. */
  _id: string;
  created_at: Date;
  /** A second copy of the newest tree head: it reveals that heads were deleted from their own collection. */
  last_head: AuditHead | null;
}

export type LogStore = ReturnType<typeof createLogStore>;

/** The teams that have a log. */
export function createLogStore(connection: Connection) {
  const collection = connection.getClient().db(connection.name).collection<Log>('logs');
  return {
    /** Registers the team's log if it is new. Resolves to the newest tree head that was noted. */
    async open(_id: string): Promise<AuditHead | null> {
      const found = await collection.findOne({ _id });
      if (found) return found.last_head;
      const log = { created_at: new Date(), last_head: null };
      await collection.updateOne({ _id }, { $setOnInsert: log }, { upsert: true });
      return null;
    },

    listTeamsOfAll: (): Promise<string[]> =>
      collection
        .find({}, { projection: { _id: 1 } })
        .map(({ _id }) => _id)
        .toArray(),

    async findLastHead(_id: string): Promise<AuditHead | null> {
      return (await collection.findOne({ _id }))?.last_head ?? null;
    },

    /** Unless a later one is stored. */
    async noteHead(head: AuditHead): Promise<void> {
      await collection.updateOne(
        { _id: head.team_id, $or: [{ last_head: null }, { 'last_head.number': { $lt: head.number } }] },
        { $set: { last_head: head } },
      );
    },

    /** Notes this head even if a later one was noted, because the log was restored. */
    async resetHead(_id: string, head: AuditHead | null): Promise<void> {
      await collection.updateOne({ _id }, { $set: { last_head: head } });
    },
  };
}
