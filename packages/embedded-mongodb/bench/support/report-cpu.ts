/*
 * Preloaded (`node --import`) into a measured process: replies to every message of its parent with the CPU time, user
 * and system, that the process has used so far, in microseconds.
 */
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
