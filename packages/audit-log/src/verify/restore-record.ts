import { openReader } from '@tollgate/contracts/platform/open-reader';
import Type from 'typebox';

/** A restore of the log from a backup, as its record `log.restored` states. */
export interface Restore {
  /** Number of the record that states it. */
  seq: number;
  /** Time of the declaration. The missing tree heads were signed no later. */
  at: string;
  /** Number of the last record that the backup contains. */
  size: number;
  /** Number of the tree head from which the log continues; 0 for none. */
  headNumber: number;
}

/** The members of the record that a verifier needs. */
const RestoreRecord = openReader(
  Type.Object({
    seq: Type.Integer({ minimum: 1 }),
    action: Type.Literal('log.restored'),
    occurred_at: Type.String(),
    changes: Type.Object({
      records: Type.Object({ after: Type.Integer({ minimum: 0 }) }),
      tree_heads: Type.Object({ after: Type.Integer({ minimum: 0 }) }),
    }),
  }),
);

/** Null for a record of another action. */
export function readRestore(record: unknown): Restore | null {
  const restore = RestoreRecord.read(record);
  if (restore === null) return null;
  const { seq, occurred_at, changes } = restore;
  return { seq, at: occurred_at, size: changes.records.after, headNumber: changes.tree_heads.after };
}
