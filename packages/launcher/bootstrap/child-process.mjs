import { constants } from 'node:os';
import { watchNpm } from './npm-watch.mjs';

const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Waits for a child and hands it the signals that reach this process meanwhile, so that it decides how to stop.
 * When npm is gone it is asked to stop, too. A Ctrl-C in a terminal reaches the child twice (the terminal signals the whole group); children take the second as the first.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>} its exit code, or 128 + signal number as shells count it
 */
export async function waitForExit(child) {
  const forward = (signal) => child.kill(signal);
  for (const signal of FORWARDED_SIGNALS) process.on(signal, forward);
  const endWatch = watchNpm(() => forward('SIGTERM'));
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    });
  } finally {
    endWatch();
    for (const signal of FORWARDED_SIGNALS) process.off(signal, forward);
  }
}
