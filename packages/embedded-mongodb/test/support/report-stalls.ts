/*
 * Preloaded (`node --import`) into a server process: replies to every message of its parent with the stalls of the
 * main thread since the message before, in milliseconds of CPU time. Unlike the time that passes, CPU time does not
 * depend on what else runs on the machine.
 */
const MIN_STALL_MS = 20;
const MICROSECONDS_PER_MS = 1000;

let stalls: number[] = [];
let before = cpuMs();

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / MICROSECONDS_PER_MS;
}

/** Whatever the event loop does between two rounds holds up all clients. */
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
