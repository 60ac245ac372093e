import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOCK_FOLDER_VARIABLE, CLOCK_SIGNAL } from './step-clock.ts';

/**
 * With `node --import` of this file, the clock of a process is wrong by the milliseconds in the file that is named after its process
 * id. It reads the file when it gets the signal. Monotonic clocks and timers are not affected, as on a real machine.
 */
const RealDate = Date;
const realNow = RealDate.now;
let offsetMs = 0;

const now = () => realNow() + offsetMs;
RealDate.now = now;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
});

const folder = process.env[CLOCK_FOLDER_VARIABLE];
if (folder !== undefined) {
  process.on(CLOCK_SIGNAL, () => {
    offsetMs = Number(readFileSync(join(folder, String(process.pid)), 'utf8'));
  });
}
