/*
 * Preloaded (`node --import`) into a measured process. Replies to every message of the parent process with the CPU time
 * (user and system) of the process so far, in microseconds.
 */
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
