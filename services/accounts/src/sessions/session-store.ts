import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';
import { type Session, sessionSchema } from './session.ts';

/** For one member, newest first; more than a member has in practice. */
const MAX_LISTED = 100;

export const SESSION_INDEXES: readonly IndexDeclaration[] = [
  { key: { token_digest: 1 }, unique: true, purpose: 'Finds a session by its token' },
  { key: { member_id: 1, _id: -1 }, purpose: 'Sessions of a member' },
  { key: { expires_at: 1 }, purpose: 'Finds expired sessions' },
  OUTBOX_INDEX,
];

export function createSessionStore(connection: Connection) {
  const model = connection.model<Session>('Session', sessionSchema);

  return {
    model,

    /** Searches all teams. */
    findByToken: async (token_digest: string): Promise<Session | null> =>
      model.findOne({ token_digest }).lean<Session>(),

    find: async (team_id: string, member_id: string, _id: string): Promise<Session | null> =>
      model.findOne({ _id, member_id, team_id }).lean<Session>(),

    /** Sessions of this epoch that are neither revoked nor past their maximum age. The caller must leave out idle ones. */
    list: async (team_id: string, member_id: string, epoch: number, now: Date): Promise<Session[]> =>
      model
        .find({ member_id, team_id, epoch, revoked_at: null, expires_at: { $gt: now } })
        .sort({ _id: -1 })
        .limit(MAX_LISTED)
        .lean<Session[]>(),

    /** Records a use, unless a later one is already recorded. */
    async touch(session: Session, { address, at }: { address: string | null; at: Date }): Promise<void> {
      await model.updateOne(
        { ...reference(session), last_used_at: { $lt: at } },
        { $set: { last_used_at: at, address } },
      );
    },

    /** Moves a session to the epoch after its own. */
    async moveToNextEpoch(session: Session): Promise<void> {
      const { epoch } = session;
      await model.updateOne({ ...reference(session), epoch }, { $set: { epoch: epoch + 1 } });
    },

    /** Deletes expired sessions whose audit entries are published. */
    async deleteExpired(now: Date): Promise<void> {
      await model.deleteMany({ expires_at: { $lt: now }, 'outbox.0': { $exists: false } });
    },
  };
}

/** Matches the session until it is revoked. */
export function whileNotRevoked(session: Session) {
  return { ...reference(session), revoked_at: null };
}

function reference({ _id, member_id, team_id }: Session) {
  return { _id, member_id, team_id };
}
