import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { type Connection, Schema } from 'mongoose';

/** What the signature over a challenge is for: a new passkey or a confirmed identity of one member, or a sign-in. */
export type ChallengePurpose =
  | { type: 'registration' | 'reauthentication'; memberId: string }
  | { type: 'sign-in' };

/** A challenge that no passkey has signed yet. */
interface ChallengeDocument {
  /** Digest of the challenge. */
  _id: string;
  purpose: ChallengePurpose['type'];
  /** Null for a sign-in: only the signature names the member. */
  member_id: string | null;
  expires_at: Date;
}

export interface ChallengeStore {
  insert(digest: string, purpose: ChallengePurpose, expiresAt: Date): Promise<void>;
  /** Deletes the challenge. False when it is unknown, used, expired, or for another purpose. */
  consume(digest: string, purpose: ChallengePurpose, now: Date): Promise<boolean>;
  deleteExpired(now: Date): Promise<void>;
}

const schema = new Schema<ChallengeDocument>(
  {
    _id: { type: String, required: true },
    purpose: { type: String, required: true },
    member_id: { type: String, default: null },
    expires_at: { type: Date, required: true },
  },
  {
    collection: 'passkey_challenges',
    versionKey: false,
    minimize: false,
    strict: 'throw',
    autoCreate: false,
  },
);

export const CHALLENGE_INDEXES: readonly IndexDeclaration[] = [
  { key: { expires_at: 1 }, purpose: 'Finds expired challenges' },
];

export function createChallengeStore(connection: Connection): ChallengeStore {
  const model = connection.model<ChallengeDocument>('PasskeyChallenge', schema);

  return {
    async insert(digest, purpose, expiresAt) {
      await model.create([{ _id: digest, ...fieldsOf(purpose), expires_at: expiresAt }]);
    },

    async consume(digest, purpose, now) {
      const filter = { _id: digest, ...fieldsOf(purpose), expires_at: { $gt: now } };
      return (await model.findOneAndDelete(filter).lean()) !== null;
    },

    async deleteExpired(now) {
      await model.deleteMany({ expires_at: { $lt: now } });
    },
  };
}

function fieldsOf(purpose: ChallengePurpose) {
  return {
    purpose: purpose.type,
    member_id: purpose.type === 'sign-in' ? null : purpose.memberId,
  };
}
