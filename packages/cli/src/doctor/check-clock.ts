import { type Finding, ok, problem } from './finding.ts';

/** Tokens, leases, and signatures are valid for a few seconds at least. */
const MAX_DIFFERENCE_MS = 2_000;

/** Compares this machine's clock with one that a server stated between two moments. */
export function checkClock(
  server: string,
  { beforeMs, serverMs, afterMs }: { beforeMs: number; serverMs: number; afterMs: number },
): Finding {
  const differenceMs = Math.max(0, beforeMs - serverMs, serverMs - afterMs);
  if (differenceMs <= MAX_DIFFERENCE_MS) {
    return ok('clocks', server, `Its clock differs by at most ${differenceMs + afterMs - beforeMs} ms.`);
  }
  return problem(
    'clocks',
    server,
    `Its clock differs by ${Math.round(differenceMs / 1_000)} s.`,
    'Synchronize the clocks of all machines, for example with chrony: signed tokens expire, and leases end, by the clock.',
  );
}
