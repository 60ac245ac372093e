import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';
import { guardAgainstOrphan } from './orphan-guard.ts';

export interface ProcessUnderTest {
  /** The log so far, including errors. */
  output(): string;
  /** Origin of the ops server, after the process has logged it. */
  opsUrl(): string;
  /** Resolves when `/readyz` reports ready. */
  ready(): Promise<void>;
  /** Sends the signal. Resolves to exit code and signal. */
  end(signal: NodeJS.Signals): Promise<unknown[]>;
  /** Resolves to exit code and signal when the process ends by itself. */
  exited: Promise<unknown[]>;
}

/** On a busy machine, starting Node alone takes seconds. */
const STARTING = { timeoutMs: 60_000 };

/** Runs the `main` of a service or command, with this environment in addition to the test's own. */
export function startProcessUnderTest(
  main: URL,
  env: Record<string, string>,
  args: readonly string[] = [],
): ProcessUnderTest {
  const child = spawn(process.execPath, [fileURLToPath(main), ...args], { env: { ...process.env, ...env } });
  guardAgainstOrphan(child);
  const exited = once(child, 'exit');
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const opsUrl = () => /"url":"(http:[^"]+)"/.exec(text)?.[1] ?? '';
  return {
    output: () => text,
    opsUrl,
    exited,
    async ready() {
      await eventually('it logs its address', () => opsUrl() !== '', STARTING);
      await eventually(
        'it is ready',
        async () => (await fetch(`${opsUrl()}/readyz`)).status === 200,
        STARTING,
      );
    },
    end(signal) {
      child.kill(signal);
      return exited;
    },
  };
}
