import { newId } from '@tollgate/contracts/platform/ids';
import { bucketOf } from '@tollgate/contracts/usage/log-linear-histogram';
import type {
  OpenQuestion,
  UsageOperation,
  UsageOutcome,
  UsageWindow,
  UsageWindowRow,
} from '@tollgate/contracts/usage/usage';

/** The caller of a test's requests. */
export interface TestCaller {
  team_id: string;
  application_id: string;
  key_id: string;
  environment: 'live' | 'sandbox';
}

export function aCaller(fields: Partial<TestCaller> = {}): TestCaller {
  return {
    team_id: newId('team'),
    application_id: newId('application'),
    key_id: newId('apiKey'),
    environment: 'sandbox',
    ...fields,
  };
}

/** One request of a test. */
export interface TestRequest {
  caller: TestCaller;
  operation?: UsageOperation;
  outcome?: UsageOutcome;
  durationUs?: number;
}

/** Creates windows as one gateway counts them, with ascending numbers. */
export function createTestGateway(firstNumber = 1) {
  const gatewayId = newId('gatewayInstance');
  let number = firstNumber;
  return {
    gatewayId,
    /** The window of this second. */
    window(at: number | string, requests: TestRequest[], open_questions: OpenQuestion[] = []): UsageWindow {
      return {
        gateway_id: gatewayId,
        number: number++,
        at: new Date(at).toISOString(),
        rows: requests.map(toRow),
        open_questions,
        log: { callers: [], lines: [] },
      };
    },
    skipNumbers(count: number) {
      number += count;
    },
  };
}

/** One row per request: the service adds them up. */
function toRow({
  caller,
  operation = 'create_payment',
  outcome = 'succeeded',
  durationUs = 5_000,
}: TestRequest): UsageWindowRow {
  return { ...caller, operation, outcome, requests: 1, latency: [[bucketOf(durationUs), 1]] };
}
