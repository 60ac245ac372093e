/**
 * Collection of the database of audit in which `tollgate restore` declares that MongoDB was restored from a backup. Audit
 * records each declaration in the log of every team.
 */
export const RESTORES_COLLECTION = 'restores';

export interface RestoreDocument {
  /** An audit id: those of the records are derived from it. */
  _id: string;
  /** When it was declared: after the restore, and after the last tree head of the time before it. */
  declared_at: Date;
  /** When every log had its record; null until then. */
  recorded_at: Date | null;
  /** Until then, an instance of audit writes the records. */
  leased_until: Date | null;
}
