import type { Fault } from './programme.ts';
import type { World } from './world.ts';

/** A process that can be killed and started again. */
interface Victim {
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Every process of the platform, the adapter, and the servers, by name. */
export function everyProcess({ platform, processor }: World): [name: string, process: Victim][] {
  const services = Object.entries(platform.instances).flatMap(([name, instances]) =>
    instances.map((process, index) => [`${name} ${index + 1}`, process] as [string, Victim]),
  );
  const gateways = platform.gateways.map(
    ({ process }, index) => [`gateway ${index + 1}`, process] as [string, Victim],
  );
  return [
    ...services,
    ...gateways,
    ['adapter', processor],
    ['nats', platform.infra.nats],
    ['mongodb', platform.infra.mongodb],
  ];
}

/** Kills a process with SIGKILL, and starts it again at once. */
export function killed([name, process]: [name: string, process: Victim]): Fault {
  return {
    name: `${name} is killed`,
    async inject() {
      await process.kill();
      await process.start();
    },
  };
}

/** Kills a server with SIGKILL, and starts it again after so many operations. */
export function downFor(operations: number, name: string, server: Victim): Fault {
  return {
    name: `${name} is down for ${operations} operations`,
    async inject(load) {
      await server.kill();
      await load.complete(operations);
      await server.start();
    },
  };
}
