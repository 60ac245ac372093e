import { mkdirSync, writeFileSync } from 'node:fs';
import type { PlatformProcess } from '../platform/platform-process.ts';
import type { World } from './world.ts';

/** Writes what each process has logged since its last start into a folder, to find the cause of a violation. */
export function writeProcessLogs({ platform: { instances, gateways } }: World, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, process: PlatformProcess) => {
    const lines = process.logLines().map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(`${folder}/${name}.jsonl`, lines.join(''));
  };
  for (const [name, processes] of Object.entries(instances)) {
    for (const [index, process] of processes.entries()) write(`${name}-${index + 1}`, process);
  }
  for (const [index, { process }] of gateways.entries()) write(`gateway-${index + 1}`, process);
}
