import { execFileSync } from 'node:child_process';

/** What is measured has a core of its own. The load generator and what responds to it share the other one. */
export const CORES = { subject: 0, rest: 1 } as const;
export type Core = keyof typeof CORES;

/** The command that runs a program on one core. Linux only (taskset(1)). */
export function onCore(core: Core, command: string, args: string[]): { command: string; args: string[] } {
  return { command: 'taskset', args: ['--cpu-list', String(CORES[core]), command, ...args] };
}

/** Moves all threads of a running process to one core. */
export function moveToCore(core: Core, pid: number): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(CORES[core]), String(pid)]);
}
