import { mkdirSync, writeFileSync } from 'node:fs';
import { platformProcesses } from './platform-processes.ts';
import type { World } from './world.ts';

/** Writes what each process has logged since its last start into a folder, to find the cause of a violation. */
export function writeProcessLogs({ platform }: World, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, process } of platformProcesses(platform)) {
    const lines = process.logLines().map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(`${folder}/${name}.jsonl`, lines.join(''));
  }
}
