import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const REPORT_STALLS = fileURLToPath(new URL('./report-stalls.ts', import.meta.url));
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface ServerProcess {
  url: string;
  port: number;
  pid: number;
  /** Ends the process without warning, like a crash. */
  kill(): Promise<void>;
  /** Requests a graceful stop. Resolves with the exit code. */
  stop(): Promise<number | null>;
}

export interface ProcessOutcome {
  exitCode: number | null;
  output: string;
}

function run(args: string[], nodeOptions: string[] = []): ChildProcess {
  return spawn(process.execPath, [...nodeOptions, MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

/** Runs the command line. Resolves when the server listens. */
export function startProcess(dataFile: string, ...furtherArguments: string[]): Promise<ServerProcess> {
  return listening(run(['--port', '0', '--data', dataFile, ...furtherArguments]));
}

export interface MonitoredProcess extends ServerProcess {
  /** The stalls of the main thread since the last call; see report-stalls. */
  stalls(): Promise<number[]>;
}

export async function startMonitored(dataFile: string): Promise<MonitoredProcess> {
  const child = run(['--port', '0', '--data', dataFile, '--no-fsync'], ['--import', REPORT_STALLS]);
  return {
    ...(await listening(child)),
    async stalls() {
      const reported = once(child, 'message');
      child.send('report');
      const [stalls] = (await reported) as [number[]];
      return stalls;
    },
  };
}

async function listening(child: ChildProcess): Promise<ServerProcess> {
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const address = /listens on (\S+)/.exec(line.toString())?.[1];
  if (address === undefined) throw new Error(`the server did not start: ${line.toString()}`);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [exitCode] = (await once(child, 'exit')) as [number | null];
    return exitCode;
  };
  return {
    url: `mongodb://${address}`,
    port: Number(address.split(':').at(-1)),
    pid: child.pid as number,
    kill: async () => {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
  };
}

/** Runs the command line with arguments that make it end. */
export async function runToEnd(args: string[]): Promise<ProcessOutcome> {
  const child = run(args);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, output };
}
