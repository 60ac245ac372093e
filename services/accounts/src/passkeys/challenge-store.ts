import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { nullableText, RECORD_OPTIONS, textOf } from '@tollgate/store/schema/fields';
import { type Connection, type InferRawDocType, Schema } from 'mongoose';

const definition = {
  /** Digest of the challenge. */
  _id: { type: String, required: true },
  /** What the signature is for: a new passkey or a confirmed identity of one member, or a sign-in. */
  purpose: textOf<'registration' | 'reauthentication' | 'sign-in'>(),
  /** Null for a sign-in: only the signature names the member. */
  member_id: nullableText(),
  expires_at: { type: Date, required: true },
} as const;

/** A challenge that no passkey has signed yet. */
type Challenge = InferRawDocType<typeof definition>;
export type ChallengePurpose = Pick<Challenge, 'purpose' | 'member_id'>;

export const TO_SIGN_IN: ChallengePurpose = { purpose: 'sign-in', member_id: null };

export const CHALLENGE_INDEXES: readonly IndexDeclaration[] = [
  { key: { expires_at: 1 }, purpose: 'Finds expired challenges' },
];

export function createChallengeStore(connection: Connection) {
  const schema = new Schema(definition, { ...RECORD_OPTIONS, collection: 'passkey_challenges' });
  const model = connection.model<Challenge>('PasskeyChallenge', schema);

  return {
    async insert(challenge: Challenge): Promise<void> {
      await model.create([challenge]);
    },

    /** Deletes the challenge. False when it is unknown, used, expired, or for another purpose. */
    async consume(_id: string, purpose: ChallengePurpose, now: Date): Promise<boolean> {
      const filter = { _id, ...purpose, expires_at: { $gt: now } };
      return (await model.findOneAndDelete(filter).lean()) !== null;
    },

    async deleteExpired(now: Date): Promise<void> {
      await model.deleteMany({ expires_at: { $lt: now } });
    },
  };
}
