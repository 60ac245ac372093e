import { kill } from 'node:process';
import type { NamedProcess } from './kill-faults.ts';
import type { Fault } from './programme.ts';

/**
 * Suspends a process with SIGSTOP, and continues it after so many operations: it returns as a zombie that has not noticed how much
 * time has passed.
 */
export function suspendedFor(operations: number, { name, pid }: NamedProcess): Fault {
  return {
    name: `${name} is suspended for ${operations} operations`,
    async inject(load) {
      if (pid === null) throw new Error(`${name} does not run as a process of this machine.`);
      kill(pid, 'SIGSTOP');
      try {
        await load.complete(operations);
      } finally {
        kill(pid, 'SIGCONT');
      }
    },
  };
}
