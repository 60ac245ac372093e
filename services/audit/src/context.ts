import type { SigningKey, VerifyingKey } from '@tollgate/audit-log/keys';
import type { RestoreDocument } from '@tollgate/contracts/audit/restore';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { IdempotencyStore } from '@tollgate/store/idempotency-store';
import type { Leases } from '@tollgate/store/lease';
import type { RejectionStore } from './append/rejection-store.ts';
import type { AuditMetrics } from './audit-metrics.ts';
import type { HeadStore } from './heads/head-store.ts';
import type { KnownHeads } from './heads/known-heads.ts';
import type { LogStore } from './heads/log-store.ts';
import type { NodeStore } from './heads/node-store.ts';
import type { Witness } from './heads/witness.ts';
import type { RecordStore } from './records/record-store.ts';
import type { VerificationStore } from './verification/verification-store.ts';

/** What the parts of the service share. */
export interface Context {
  records: RecordStore;
  rejections: RejectionStore;
  heads: HeadStore;
  nodes: NodeStore;
  logs: LogStore;
  knownHeads: KnownHeads;
  witness: Witness;
  /** The restores that an operator declared with `tollgate restore`. */
  restores: Leases<RestoreDocument>;
  verifications: VerificationStore;
  idempotency: IdempotencyStore;
  /** The first one signs. The others signed in the past. */
  signingKeys: readonly [SigningKey, ...SigningKey[]];
  publicKeys: readonly VerifyingKey[];
  metrics: AuditMetrics;
  clock: Clock;
  logger: Logger;
}
