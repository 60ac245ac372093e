import { constants } from 'node:os';

const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Waits for a child and hands it the signals that reach this process meanwhile, so that it decides how to stop.
 * A Ctrl-C in a terminal reaches the child twice (the terminal signals the whole group); children take the second as the first.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>} its exit code, or 128 + signal number as shells count it
 */
export async function waitForExit(child) {
  const forward = (signal) => child.kill(signal);
  for (const signal of FORWARDED_SIGNALS) process.on(signal, forward);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    });
  } finally {
    for (const signal of FORWARDED_SIGNALS) process.off(signal, forward);
  }
}
