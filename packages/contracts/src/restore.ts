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
