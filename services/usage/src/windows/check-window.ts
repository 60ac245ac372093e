import { BUCKET_COUNT } from '@tollgate/contracts/usage/log-linear-histogram';
import {
  USAGE_OPERATIONS,
  USAGE_OUTCOMES,
  type UsageWindow,
  type UsageWindowRow,
} from '@tollgate/contracts/usage/usage';
import { readLog } from '../request-log/read-log.ts';

const OPERATIONS: readonly string[] = USAGE_OPERATIONS;
const OUTCOMES: readonly string[] = USAGE_OUTCOMES;

/** Why a window that matches its schema cannot be counted; null when it can. */
export function describeFault(window: UsageWindow): string | null {
  if (window.rows.length === 0 && window.log.lines.length === 0) return ': the window has no request';
  for (const [index, row] of window.rows.entries()) {
    const fault = rowFault(row);
    if (fault !== null) return `/rows/${index}${fault}`;
  }
  return logFault(window);
}

function logFault(window: UsageWindow): string | null {
  try {
    readLog(window);
    return null;
  } catch (error) {
    return `/log/lines: ${(error as Error).message}`;
  }
}

/** Operations and outcomes are counted by their index, so a release can only count those that it knows. */
function rowFault(row: UsageWindowRow): string | null {
  if (!OPERATIONS.includes(row.operation)) return '/operation is unknown to this release';
  if (!OUTCOMES.includes(row.outcome)) return '/outcome is unknown to this release';
  if (hasSoundLatency(row)) return null;
  return `/latency must contain each request once, in ascending order of buckets below ${BUCKET_COUNT}`;
}

function hasSoundLatency({ requests, latency }: UsageWindowRow): boolean {
  let previous = -1;
  let counted = 0;
  for (const [bucket, count] of latency) {
    if (bucket <= previous || bucket >= BUCKET_COUNT) return false;
    previous = bucket;
    counted += count;
  }
  return counted === requests;
}
