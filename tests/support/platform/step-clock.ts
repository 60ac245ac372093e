import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kill } from 'node:process';

export const CLOCK_FOLDER_VARIABLE = 'TEST_CLOCK_FOLDER';
/** Without effect on a process that has no listener for it. SIGUSR2 stops a service. */
export const CLOCK_SIGNAL = 'SIGWINCH';
/** Import it into the processes whose clocks are stepped, with the variable for a folder. */
export const STEPPED_CLOCK = new URL('stepped-clock.ts', import.meta.url);

/** Makes the clock of a process wrong by so much; 0 corrects it. */
export function stepClock(folder: string, pid: number, offsetMs: number): void {
  writeFileSync(join(folder, String(pid)), String(offsetMs));
  kill(pid, CLOCK_SIGNAL);
}
