import type { AuditRecord } from '@tollgate/contracts/audit/audit';

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
