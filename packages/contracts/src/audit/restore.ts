/**
 * Collection of the database of audit in which `tollgate restore` declares that MongoDB was restored from a backup. Audit
 * records each declaration in the log of every team.
 */
export const RESTORES_COLLECTION = 'restores';

export interface RestoreDocument {
  /** An audit id. The ids of the records are derived from it. */
  _id: string;
  /** When the restore was declared: after the last tree head that was signed before the restore. */
  declared_at: Date;
  /** When every log had its record of the restore; null until then. */
  recorded_at: Date | null;
  /** End of the lease of the audit instance that writes the records. */
  leased_until: Date | null;
}

/** Collection of the database of payments with one document. A restore may leave it as it is while it replaces the payments. */
export const ERASURE_PROGRESS_COLLECTION = 'erasure_progress';

/** The position up to which the records of erasures in NATS are applied to the database of payments. */
export interface ErasureProgressDocument {
  _id: 'erasures';
  /** Creation time of the bucket. A different time means that NATS lost its store, and the records in it. */
  created_at: string;
  revision: number;
}

/** What a declared restore sets in the progress: payments applies every record again. */
export const NO_ERASURES_APPLIED = { revision: 0 } as const satisfies Partial<ErasureProgressDocument>;
