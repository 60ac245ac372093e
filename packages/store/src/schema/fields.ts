import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { Schema, type SchemaOptions } from 'mongoose';

// Fields for which mongoose cannot infer the stored type: those that are always stored and may be null, and those whose
// shape only TypeScript knows. The type of a record is inferred from the definition of its schema.

/** Tells the compiler what is stored. `__rawDocTypeHint` is the name that mongoose reads; the field does not exist. */
type Stored<T> = { __rawDocTypeHint: T };

/** A text of a known set, such as a status. A later release may have stored another one. */
export const textOf = <T extends string>() => stored<T>({ type: String, required: true });

export const nullableText = <T extends string = string>() =>
  stored<T | null>({ type: String, default: null });
export const nullableDate = () => stored<Date | null>({ type: Date, default: null });
export const nullableNumber = () => stored<number | null>({ type: Number, default: null });

/** A nested value, stored as it is. */
export const shape = <T>() => stored<T>({ type: Schema.Types.Mixed, required: true });
export const nullableShape = <T>() => stored<T | null>({ type: Schema.Types.Mixed, default: null });
export const listOf = <T>() => stored<T[]>({ type: [Schema.Types.Mixed], required: true });

/** A nested value that most documents do not have. */
export const optionalShape = <T>() =>
  ({ type: Schema.Types.Mixed }) as unknown as Stored<T> & { allowNull: false };

/** The fields of every record whose changes are audited, apart from `_id`. */
export const AUDITED_FIELDS = {
  /** Raised by each change. */
  version: { type: Number, required: true },
  created_at: { type: Date, required: true },
  updated_at: { type: Date, required: true },
  /** Audit entries of changes, written with the changes and cleared once the audit log has them. */
  outbox: listOf<SignedAuditEntry>(),
} as const;

/** Unknown fields are rejected on writing, and kept on reading: a later release may have stored them. */
export const RECORD_OPTIONS = {
  versionKey: false,
  minimize: false,
  strict: 'throw',
  autoCreate: false,
} as const satisfies SchemaOptions;

function stored<T>(definition: object): Stored<T> & { required: true } {
  return definition as Stored<T> & { required: true };
}
