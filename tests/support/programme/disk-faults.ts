import { execFileSync } from 'node:child_process';
import type { Killable } from './kill-faults.ts';
import type { Fault } from './programme.ts';

/**
 * Makes every write of a server to a file fail for so many operations, as a full disk does. A limit of file sizes (setrlimit(2)) needs
 * no privileges and no file system of its own. The error is EFBIG instead of ENOSPC.
 */
export function unableToWriteFor(operations: number, name: string, server: Killable): Fault {
  return {
    name: `${name} cannot write for ${operations} operations`,
    async inject(load) {
      // An earlier fault may have restarted it.
      const { pid } = server;
      if (pid === null) throw new Error(`${name} does not run as a process of this machine.`);
      limitFileSize(pid, '0');
      try {
        await load.complete(operations);
      } finally {
        limitFileSize(pid, 'unlimited');
      }
    },
  };
}

/** Sets the soft limit only, which the process may raise again. */
function limitFileSize(pid: number, size: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:`]);
}
