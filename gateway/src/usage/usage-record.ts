import type { Environment } from '@tollgate/contracts/platform/environment';
import type { LoggedError } from '@tollgate/contracts/usage/logged-error';
import type { RequestLine } from '@tollgate/contracts/usage/request-line';
import type { OpenQuestion } from '@tollgate/contracts/usage/usage';

/** Sender of a request, as far as usage distinguishes callers. */
export interface UsageCaller {
  team_id: string;
  application_id: string;
  key_id: string;
  environment: Environment;
}

/** One request that got a response or was aborted. Without an outcome, it is logged and not counted. */
export interface UsageRecord extends Omit<RequestLine, 'caller'> {
  caller: UsageCaller;
  /** Errors of its fields, if it was rejected because of them. */
  errors: LoggedError[];
  /** The open question that reconciliation must look up; null if there is none. */
  question: Pick<OpenQuestion, 'at' | 'reason'> | null;
}
