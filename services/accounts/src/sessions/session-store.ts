import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { type Connection, Schema } from 'mongoose';
import type { Session } from './session.ts';

/** A session as stored in the collection `sessions`. */
interface SessionDocument {
  _id: string;
  member_id: string;
  team_id: string;
  token_digest: string;
  epoch: number;
  address: string | null;
  user_agent: string | null;
  created_at: Date;
  authenticated_at: Date;
  last_used_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  /** Audit entries of changes, written with the changes and cleared once published. */
  outbox: SignedAuditEntry[];
}

/** For one member, newest first; more than a member has in practice. */
const MAX_LISTED = 100;

export interface SessionStore {
  insert(session: Session, audit: SignedAuditEntry): Promise<void>;
  findByToken(tokenDigest: string): Promise<Session | null>;
  find(teamId: string, memberId: string, sessionId: string): Promise<Session | null>;
  /**
   * Sessions of this epoch that are neither revoked nor past their maximum age. The caller must leave out idle ones.
   */
  list(teamId: string, memberId: string, epoch: number, now: Date): Promise<Session[]>;
  /** Records a use, unless a later one is already recorded. */
  touch(session: Session, use: { address: string | null; at: Date }): Promise<void>;
  /** Records that the member confirmed their identity. False when the session is revoked; nothing is stored then. */
  recordAuthentication(session: Session, at: Date, audit: SignedAuditEntry): Promise<boolean>;
  /** False when it is already revoked; nothing is stored then. */
  revoke(session: Session, at: Date, audit: SignedAuditEntry): Promise<boolean>;
  /** Moves a session to the epoch after its own. */
  moveToNextEpoch(session: Session): Promise<void>;
  /** Deletes expired sessions whose audit entries are published. */
  deleteExpired(now: Date): Promise<void>;
}

const schema = new Schema<SessionDocument>(
  {
    _id: { type: String, required: true },
    member_id: { type: String, required: true },
    team_id: { type: String, required: true },
    token_digest: { type: String, required: true },
    epoch: { type: Number, required: true },
    address: { type: String, default: null },
    user_agent: { type: String, default: null },
    created_at: { type: Date, required: true },
    authenticated_at: { type: Date, required: true },
    last_used_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
    revoked_at: { type: Date, default: null },
    outbox: [Schema.Types.Mixed],
  },
  { collection: 'sessions', versionKey: false, minimize: false, strict: 'throw', autoCreate: false },
);

export const SESSION_INDEXES: readonly IndexDeclaration[] = [
  { key: { token_digest: 1 }, unique: true, purpose: 'Finds a session by its token' },
  { key: { member_id: 1, _id: -1 }, purpose: 'Sessions of a member' },
  { key: { expires_at: 1 }, purpose: 'Finds expired sessions' },
  OUTBOX_INDEX,
];

export function createSessionStore(connection: Connection): SessionStore {
  const model = connection.model<SessionDocument>('Session', schema);

  async function findOne(filter: Record<string, unknown>): Promise<Session | null> {
    const document = await model.findOne(filter).lean();
    return document && toSession(document);
  }

  async function changeUnrevoked(
    session: Session,
    change: Partial<SessionDocument>,
    audit: SignedAuditEntry,
  ): Promise<boolean> {
    const result = await model.updateOne(
      { ...reference(session), revoked_at: null },
      { $set: change, $push: { outbox: audit } },
    );
    return result.matchedCount === 1;
  }

  return {
    async insert(session, audit) {
      await model.create([toDocument(session, [audit])]);
    },

    findByToken: (tokenDigest) => findOne({ token_digest: tokenDigest }),
    find: (teamId, memberId, sessionId) => findOne({ _id: sessionId, member_id: memberId, team_id: teamId }),

    async list(teamId, memberId, epoch, now) {
      const documents = await model
        .find({ member_id: memberId, team_id: teamId, epoch, revoked_at: null, expires_at: { $gt: now } })
        .sort({ _id: -1 })
        .limit(MAX_LISTED)
        .lean();
      return documents.map(toSession);
    },

    async touch(session, { address, at }) {
      await model.updateOne(
        { ...reference(session), last_used_at: { $lt: at } },
        { $set: { last_used_at: at, address } },
      );
    },

    recordAuthentication: (session, at, audit) => changeUnrevoked(session, { authenticated_at: at }, audit),
    revoke: (session, at, audit) => changeUnrevoked(session, { revoked_at: at }, audit),

    async moveToNextEpoch(session) {
      await model.updateOne(
        { ...reference(session), epoch: session.epoch },
        { $set: { epoch: session.epoch + 1 } },
      );
    },

    async deleteExpired(now) {
      await model.deleteMany({ expires_at: { $lt: now }, 'outbox.0': { $exists: false } });
    },
  };
}

function reference({ id, memberId, teamId }: Session) {
  return { _id: id, member_id: memberId, team_id: teamId };
}

function toDocument(session: Session, outbox: SignedAuditEntry[]): SessionDocument {
  return {
    _id: session.id,
    member_id: session.memberId,
    team_id: session.teamId,
    token_digest: session.tokenDigest,
    epoch: session.epoch,
    address: session.address,
    user_agent: session.userAgent,
    created_at: session.createdAt,
    authenticated_at: session.authenticatedAt,
    last_used_at: session.lastUsedAt,
    expires_at: session.expiresAt,
    revoked_at: session.revokedAt,
    outbox,
  };
}

function toSession(document: SessionDocument): Session {
  return {
    id: document._id,
    memberId: document.member_id,
    teamId: document.team_id,
    tokenDigest: document.token_digest,
    epoch: document.epoch,
    address: document.address,
    userAgent: document.user_agent,
    createdAt: document.created_at,
    authenticatedAt: document.authenticated_at,
    lastUsedAt: document.last_used_at,
    expiresAt: document.expires_at,
    revokedAt: document.revoked_at,
  };
}
