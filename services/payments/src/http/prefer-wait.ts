import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { CREATION_WAIT_S } from '@tollgate/contracts/platform/headers';

const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d+)"?\s*(?:$|[,;])/i;

/**
 * How long the caller waits for the processor, in ms, as the header `Prefer: wait=N` says in seconds (RFC 7240 §4.3). As that document
 * requires, what cannot be understood is ignored.
 */
export function preferredWaitMs(prefer: string | string[] | undefined): number {
  const seconds = WAIT.exec(String(prefer ?? ''))?.[1];
  const { default: defaultS, max } = CREATION_WAIT_S;
  return Math.min(seconds === undefined ? defaultS : Number(seconds), max) * SECOND_MS;
}
