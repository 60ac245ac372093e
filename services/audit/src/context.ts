import type { SigningKey, VerifyingKey } from '@tollgate/audit-log/keys';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { IdempotencyStore } from '@tollgate/store/idempotency-store';
import type { TeamQueries } from '@tollgate/store/team-queries';
import type { Appender } from './append/appender.ts';
import type { RejectionStore } from './append/rejection-store.ts';
import type { StoredEntries } from './append/stored-entries.ts';
import type { HeadSigner } from './heads/create-head.ts';
import type { HeadStore } from './heads/head-store.ts';
import type { NodeStore } from './heads/node-store.ts';
import type { RecordStore } from './records/record-store.ts';
import type { VerificationRunner } from './verification/run-verification.ts';
import type { VerificationStore } from './verification/verification-store.ts';

/** Dependencies of the use cases. */
export interface Context {
  records: RecordStore;
  stored: StoredEntries;
  /** Entries that the log cannot store. */
  rejections: RejectionStore;
  heads: HeadStore;
  nodes: NodeStore;
  appender: Appender;
  headSigner: HeadSigner;
  verifications: VerificationStore;
  verificationRunner: VerificationRunner;
  idempotency: IdempotencyStore;
  queries: TeamQueries;
  /** The first one signs; the others are earlier keys. */
  signingKeys: readonly [SigningKey, ...SigningKey[]];
  publicKeys: readonly VerifyingKey[];
  clock: Clock;
  logger: Logger;
}
