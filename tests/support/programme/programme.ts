import type { SteadyLoad } from '../platform/steady-load.ts';
import type { Shares } from './plan.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** Something that goes wrong. */
export interface Fault {
  /** Shown in the log. */
  name: string;
  /**
   * Causes the fault, and resolves when it is over: the process runs again, the network is whole. A fault that lasts calls
   * `load.complete`, so that its duration is a number of operations.
   */
  inject(load: Pick<SteadyLoad, 'complete'>): Promise<void>;
}

/** Which faults happen to a platform under load. */
export interface Programme {
  /** As in a test title: "every process is killed with SIGKILL". */
  name: string;
  /** Name of the test file, for the command that replays a run. */
  file: string;
  /** How many faults the short form has (`npm run test:system`), and the long form (`FAULTS_FORM=long`). */
  faults: { short: number; long: number };
  /** How many operations are completed between two faults. */
  operationsPerFault: number;
  operationsPerSecond: number;
  /** Shares of the operations that this programme has more or fewer of. */
  shares?: Partial<Shares>;
  /** Clients that send each request at once. */
  concurrency?: number;
  startWorld(options: { random: Random }): Promise<World>;
  /** Draws the next fault. All are drawn before the run, so that the seed determines them. */
  drawFault(world: World, random: Random, index: number): Fault;
}
