import type { Environment } from '@tollgate/contracts/environment';
import type { OpenQuestion, UsageOperation, UsageOutcome } from '@tollgate/contracts/usage';

/** Sender of a request, as far as usage distinguishes callers. */
export interface UsageCaller {
  team_id: string;
  application_id: string;
  key_id: string;
  environment: Environment;
}

/** One request that got a response or was aborted. */
export interface UsageRecord {
  caller: UsageCaller;
  operation: UsageOperation;
  outcome: UsageOutcome;
  durationUs: number;
  /** The open question that reconciliation must look up; null if there is none. */
  question: Pick<OpenQuestion, 'request_id' | 'at' | 'reason'> | null;
}
