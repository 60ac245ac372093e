import { readFileSync } from 'node:fs';

/** Memory of a process on this machine: its proportional set size, so that shared pages count once. Linux only (proc(5)). */
export function memoryMb(pid: number): number {
  const [, kilobytes = 'NaN'] =
    /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
