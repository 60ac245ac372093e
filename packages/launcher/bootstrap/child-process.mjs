import { constants } from 'node:os';
import { watchNpm } from './npm-watch.mjs';

const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Waits for a child and forwards the signals that this process receives, so that the child decides how to stop. The
 * child is also asked to stop when npm ends. Ctrl+C in a terminal reaches the child twice, because the terminal signals
 * the whole group; children treat both as one.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>} exit code, or 128 + signal number like a shell
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
