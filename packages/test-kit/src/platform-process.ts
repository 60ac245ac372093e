import type { ProcessSpec } from '@tollgate/launcher/supervised-process';
import { type ChildServer, startChildServer } from './child-server.ts';

/** One process of a platform under test. Nobody restarts it: what a test kills stays dead until the test starts it. */
export interface PlatformProcess {
  readonly name: string;
  readonly pid: number | null;
  /** Starts it, again after `stop` or `kill`, and waits until it is ready. */
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export function platformProcess(spec: ProcessSpec): PlatformProcess {
  let running: ChildServer | null = null;
  async function end(how: 'stop' | 'kill') {
    await running?.[how]();
    running = null;
  }
  return {
    name: spec.name,
    get pid() {
      return running?.pid ?? null;
    },
    async start() {
      running ??= await startChildServer(spec);
    },
    stop: () => end('stop'),
    kill: () => end('kill'),
  };
}
