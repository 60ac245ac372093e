import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import type { Connection } from 'mongoose';

interface LogDocument {
  _id: string;
  created_at: Date;
  /** A second copy of the newest tree head: it reveals that heads were deleted from their own collection. */
  last_head: AuditHead | null;
}

/** The teams that have a log. */
export interface LogStore {
  /** Registers the team's log if it is new. Resolves to the newest tree head that was noted. */
  open(teamId: string): Promise<AuditHead | null>;
  listTeamsOfAll(): Promise<string[]>;
  findLastHead(teamId: string): Promise<AuditHead | null>;
  /** Unless a later one is stored. */
  noteHead(head: AuditHead): Promise<void>;
  /** Notes this head even if a later one was noted, because the log was restored. */
  resetHead(teamId: string, head: AuditHead | null): Promise<void>;
}

export function createLogStore(connection: Connection): LogStore {
  const collection = connection.getClient().db(connection.name).collection<LogDocument>('logs');
  return {
    async open(teamId) {
      const found = await collection.findOne({ _id: teamId });
      if (found) return found.last_head;
      await collection.updateOne(
        { _id: teamId },
        { $setOnInsert: { created_at: new Date(), last_head: null } },
        { upsert: true },
      );
      return null;
    },

    listTeamsOfAll: () =>
      collection
        .find({}, { projection: { _id: 1 } })
        .map(({ _id }) => _id)
        .toArray(),

    async findLastHead(teamId) {
      return (await collection.findOne({ _id: teamId }))?.last_head ?? null;
    },

    async noteHead(head) {
      await collection.updateOne(
        { _id: head.team_id, $or: [{ last_head: null }, { 'last_head.number': { $lt: head.number } }] },
        { $set: { last_head: head } },
      );
    },

    async resetHead(teamId, head) {
      await collection.updateOne({ _id: teamId }, { $set: { last_head: head } });
    },
  };
}
