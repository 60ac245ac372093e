import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { newId } from '@tollgate/contracts/platform/ids';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { listOf, RECORD_OPTIONS } from '@tollgate/store/schema/fields';
import { type Connection, type InferRawDocType, Schema } from 'mongoose';

/** A failed sign-in changes no other document, so it has its own. It stores only the audit entries of the attempt. */
const definition = {
  _id: { type: String, required: true },
  created_at: { type: Date, required: true },
  outbox: listOf<SignedAuditEntry>(),
} as const;

export const FAILED_SIGN_IN_INDEXES: readonly IndexDeclaration[] = [
  { key: { created_at: 1 }, purpose: 'Finds recorded failures to delete' },
  OUTBOX_INDEX,
];

export function createFailedSignInStore(connection: Connection) {
  const schema = new Schema(definition, { ...RECORD_OPTIONS, collection: 'failed_sign_ins' });
  const model = connection.model<InferRawDocType<typeof definition>>('FailedSignIn', schema);

  return {
    /** `audit` is empty for an email without an account: the same write, so that it takes as long. */
    async insert(audit: SignedAuditEntry[], now: Date): Promise<void> {
      await model.create([{ _id: newId('failedSignIn'), created_at: now, outbox: audit }]);
    },

    /** Deletes those created earlier whose audit entries are published. */
    async deleteBefore(time: Date): Promise<void> {
      await model.deleteMany({ created_at: { $lt: time }, 'outbox.0': { $exists: false } });
    },
  };
}
