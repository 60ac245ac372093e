import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPORT_CPU = fileURLToPath(new URL('./report-cpu.ts', import.meta.url));
const MAIN = 'packages/embedded-mongodb/src/main.ts';

export interface MeasuredServer {
  port: number;
  /** The CPU time of all threads of the server so far, in microseconds. */
  cpuTime(): Promise<number>;
  stop(): Promise<void>;
  /** Ends the server, even if it does not respond. */
  kill(): Promise<void>;
}

/** Starts the server of a checkout in a separate process. */
export async function startMeasured(checkout: string, dataFile: string): Promise<MeasuredServer> {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', REPORT_CPU, join(checkout, MAIN), '--port', '0', '--data', dataFile],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const end = async (signal: NodeJS.Signals) => {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return {
    port: Number(/:(\d+)\s*$/.exec(line.toString())?.[1]),
    async cpuTime() {
      const reported = once(child, 'message');
      child.send('cpu');
      const [microseconds] = (await reported) as [number];
      return microseconds;
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}
