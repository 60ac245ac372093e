import type { Environment } from '@tollgate/contracts/environment';
import type { OpenQuestion, UsageOperation, UsageOutcome } from '@tollgate/contracts/usage';

/** Who sent a request, as usage tells callers apart. */
export interface UsageCaller {
  team_id: string;
  application_id: string;
  key_id: string;
  environment: Environment;
}

/** One request that was completed or aborted. */
export interface UsageRecord {
  caller: UsageCaller;
  operation: UsageOperation;
  outcome: UsageOutcome;
  durationUs: number;
  /** What reconciliation must look up about it; null for nothing. */
  question: Pick<OpenQuestion, 'request_id' | 'at' | 'reason'> | null;
}
