import { createHash } from 'node:crypto';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import { DAY_S } from '@tollgate/contracts/platform/durations';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { type Connection, type InferRawDocType, Schema } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.ts';
import { assertSameFingerprint, fingerprint } from './request-fingerprint.ts';
import type { IndexDeclaration } from './schema/database-schema.ts';
import { RECORD_OPTIONS } from './schema/fields.ts';

/** How long an idempotency key of the admin API is known. Later, it is like a new key. Why: decision 0023. */
const KEY_LIFETIME_S = DAY_S;

/** Name of the collection. */
export const IDEMPOTENCY_KEYS = 'idempotency_keys';
export const IDEMPOTENCY_KEY_INDEXES: readonly IndexDeclaration[] = [
  { key: { created_at: 1 }, expireAfterSeconds: KEY_LIFETIME_S, purpose: 'Deletes keys after a day' },
];

const definition = {
  /** SHA-256 of team, actor, operation, and key. */
  _id: { type: String, required: true },
  fingerprint: { type: String, required: true },
  resource_id: { type: String, required: true },
  /** Whether the resource was created. If it is missing then, it was deleted since. */
  completed: { type: Boolean, required: true },
  created_at: { type: Date, required: true },
} as const;
type Reservation = InferRawDocType<typeof definition>;
const schema = new Schema(definition, { ...RECORD_OPTIONS, collection: IDEMPOTENCY_KEYS });

/** A call with an idempotency key, and who made it: keys of two actors are independent of each other. */
export interface KeyedCall extends IdempotentCall {
  actor: Actor;
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

/**
 * The ids of the resources that calls with an idempotency key create. The id is reserved before the resource is created,
 * so that a repeated call finds the resource, or creates it with the same id after a crash between the two writes.
 */
export function createIdempotencyStore(connection: Connection) {
  const model = connection.model<Reservation>('IdempotencyKey', schema);

  /** Throws `idempotency-key-reused` if the key is bound to another request. */
  async function find(call: KeyedCall): Promise<Reservation | null> {
    const reservation = await model.findOne({ _id: idOf(call) }).lean();
    if (reservation)
      assertSameFingerprint(reservation.fingerprint, fingerprint(call.operation, call.request));
    return reservation;
  }

  return {
    find,

    /**
     * Resolves to `resource_id`, or to the id that an earlier call with the key reserved. Throws
     * `idempotency-key-reused`.
     */
    async reserve(call: KeyedCall, resource_id: string): Promise<string> {
      try {
        await model.create([
          {
            _id: idOf(call),
            fingerprint: fingerprint(call.operation, call.request),
            resource_id,
            completed: false,
            // Wall-clock time, because the database deletes the key by it.
            created_at: new Date(),
          },
        ]);
        return resource_id;
      } catch (error) {
        const earlier = isDuplicateKey(error) ? await find(call) : null;
        if (!earlier) throw error;
        return earlier.resource_id;
      }
    },

    /** Records that the resource was created; `resource_id` replaces the reserved id. */
    async complete(call: KeyedCall, resource_id: string): Promise<void> {
      await model.updateOne({ _id: idOf(call) }, { $set: { resource_id, completed: true } });
    },
  };
}

/** A key may contain any visible character, and no line break. */
function idOf({ actor, operation, key }: KeyedCall): string {
  const actorId = actor.type === 'member' ? actor.member_id : actor.token_id;
  return createHash('sha256').update([actor.team_id, actorId, operation, key].join('\n')).digest('hex');
}
