/*
 * Preloaded (`node --import`) into a server process. Replies to every message of the parent process with the stalls of
 * the main thread since the previous message, in milliseconds of CPU time. Unlike elapsed time, CPU time does not depend
 * on other processes on the machine.
 */
const MIN_STALL_MS = 20;
const MICROSECONDS_PER_MS = 1000;

let stalls: number[] = [];
let before = cpuMs();

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / MICROSECONDS_PER_MS;
}

/** Work between two turns of the event loop blocks all clients. */
function measure(): void {
  const now = cpuMs();
  if (now - before >= MIN_STALL_MS) stalls.push(Math.round(now - before));
  before = now;
  setTimeout(() => setImmediate(measure), 1).unref();
}

measure();
process.on('message', () => {
  process.send?.(stalls);
  stalls = [];
});
process.channel?.unref();
