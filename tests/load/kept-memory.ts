import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name of the variable with the folder that processes write their memory to (gc-on-signal.ts). */
export const KEPT_MEMORY_FOLDER = 'KEPT_MEMORY_FOLDER';

/**
 * What a process kept when it last collected its garbage: its JavaScript heap and the buffers outside of it. NaN for a process that
 * writes none, like NATS.
 */
export function keptMemoryMb(pid: number, folder: string): number {
  const file = join(folder, `${pid}.json`);
  if (!existsSync(file)) return Number.NaN;
  const { heapUsed, external } = JSON.parse(readFileSync(file, 'utf8')) as NodeJS.MemoryUsage;
  return (heapUsed + external) / 1024 ** 2;
}
