import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type { ChangeRow } from './change-row.ts';

/** An actor or a target of a record. */
export interface Named {
  /** Kind: "Member", "API key". */
  kind: string;
  name: string;
  /** Whether `name` is an id because no name is known. */
  isId: boolean;
  /** Path of its page; null when it has none. */
  href: string | null;
}

/** A record as the table shows it. */
export interface RecordRow {
  id: string;
  occurredAt: string;
  /** What happened, in a sentence. */
  words: string;
  actor: Named;
  target: Named;
  application: { id: string; name: string } | null;
  environment: AuditRecord['environment'];
  ip: string | null;
}

/** A record as its own page shows it. */
export interface RecordView extends RecordRow {
  record: AuditRecord;
  changes: ChangeRow[];
  /** The browser or program by name; null when unknown. */
  device: string | null;
}
