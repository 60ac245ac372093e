import { readFileSync } from 'node:fs';

/** `sysconf(_SC_CLK_TCK)`, which Linux fixes at 100 for user space. */
const TICK_MS = 10;

/** CPU time that a process on this machine has used so far, user and system, in ms. NaN without /proc (proc(5)). */
export function cpuTimeMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces; utime and stime are the 12th and 13th fields after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}
