import { platformProcesses } from './platform-processes.ts';
import type { Fault } from './programme.ts';
import type { World } from './world.ts';

/** A process that can be killed and started again. */
export interface Killable {
  /** Null in a container. */
  readonly pid: number | null;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export type NamedProcess = Killable & { name: string };

/** Every process of the platform, the adapter, and the servers. */
export function everyProcess({ platform, processor }: World): NamedProcess[] {
  return [
    ...platformProcesses(platform).map(({ name, process }) => named(name, process)),
    named('adapter', processor),
    named('nats', platform.infra.nats),
    named('mongodb', platform.infra.mongodb),
  ];
}

function named(name: string, process: Killable): NamedProcess {
  return {
    name,
    get pid() {
      return process.pid;
    },
    kill: () => process.kill(),
    start: () => process.start(),
  };
}

/** Kills a process with SIGKILL, and starts it again at once. */
export function killed({ name, kill, start }: NamedProcess): Fault {
  return {
    name: `${name} is killed`,
    async inject() {
      await kill();
      await start();
    },
  };
}

/** Kills a server with SIGKILL, and starts it again after so many operations. */
export function downFor(operations: number, name: string, server: Killable): Fault {
  return {
    name: `${name} is down for ${operations} operations`,
    async inject(load) {
      await server.kill();
      await load.complete(operations);
      await server.start();
    },
  };
}
