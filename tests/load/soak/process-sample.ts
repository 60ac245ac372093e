import { readdirSync, readFileSync } from 'node:fs';
import { keptMemoryMb } from '../kept-memory.ts';
import { cpuTimeMs } from '../process-cpu.ts';
import { memoryMb } from '../process-memory.ts';

/** What a process on this machine uses at one moment. Linux only (proc(5)). */
export interface ProcessSample {
  rssMb: number;
  /** Its proportional set size: pages that processes share count once. */
  pssMb: number;
  /** Its JavaScript heap without garbage, and the buffers outside of it. NaN for NATS. */
  keptMb: number;
  openFiles: number;
  /** Since the start of the process. */
  cpuMs: number;
}

export function sampleProcess(pid: number, keptMemoryFolder: string): ProcessSample {
  return {
    rssMb: rssMb(pid),
    pssMb: memoryMb(pid),
    keptMb: keptMemoryMb(pid, keptMemoryFolder),
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
    cpuMs: cpuTimeMs(pid),
  };
}

function rssMb(pid: number): number {
  const [, kilobytes = 'NaN'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
