import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { newId } from '@tollgate/contracts/platform/ids';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { type Connection, Schema } from 'mongoose';

/** A failed sign-in changes no other document, so it has its own. It stores only the audit entries of the attempt. */
interface FailedSignInDocument {
  _id: string;
  created_at: Date;
  outbox: SignedAuditEntry[];
}

export interface FailedSignInStore {
  /** `audit` is empty for an email without an account: the same write, so that it takes as long. */
  insert(audit: SignedAuditEntry[], now: Date): Promise<void>;
  /** Deletes those created earlier whose audit entries are published. */
  deleteBefore(time: Date): Promise<void>;
}

const schema = new Schema<FailedSignInDocument>(
  {
    _id: { type: String, required: true },
    created_at: { type: Date, required: true },
    outbox: [Schema.Types.Mixed],
  },
  { collection: 'failed_sign_ins', versionKey: false, minimize: false, strict: 'throw', autoCreate: false },
);

export const FAILED_SIGN_IN_INDEXES: readonly IndexDeclaration[] = [
  { key: { created_at: 1 }, purpose: 'Finds recorded failures to delete' },
  OUTBOX_INDEX,
];

export function createFailedSignInStore(connection: Connection): FailedSignInStore {
  const model = connection.model<FailedSignInDocument>('FailedSignIn', schema);

  return {
    async insert(audit, now) {
      await model.create([{ _id: newId('failedSignIn'), created_at: now, outbox: audit }]);
    },

    async deleteBefore(time) {
      await model.deleteMany({ created_at: { $lt: time }, 'outbox.0': { $exists: false } });
    },
  };
}
