import type { AuditRecord } from '@tollgate/contracts/audit';
import type { ChangeRow } from './change-row.ts';

/** Someone or something that a record names. */
export interface Named {
  /** What it is: "Member", "API key". */
  kind: string;
  name: string;
  /** Whether the name is an id, for want of a name. */
  isId: boolean;
  /** Its page; null when it has none. */
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
  /** The browser or program, in words; null when none is known. */
  device: string | null;
}
