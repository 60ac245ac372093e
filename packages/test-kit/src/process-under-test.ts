import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';
import { guardAgainstOrphan } from './orphan-guard.ts';

export interface ProcessUnderTest {
  /** What it has written to its log so far, errors included. */
  output(): string;
  /** Origin of its ops server, once it has logged that. */
  opsUrl(): string;
  /** Resolves when `/readyz` says so. */
  ready(): Promise<void>;
  /** Sends the signal; resolves to exit code and signal. */
  end(signal: NodeJS.Signals): Promise<unknown[]>;
  /** Exit code and signal, when it ends by itself. */
  exited: Promise<unknown[]>;
}

/** Runs a service's `main` as `npm start` does, with this environment besides the test's own. */
export function startProcessUnderTest(main: URL, env: Record<string, string>): ProcessUnderTest {
  const child = spawn(process.execPath, [fileURLToPath(main)], { env: { ...process.env, ...env } });
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
      await eventually('it logs its address', () => opsUrl() !== '');
      await eventually('it is ready', async () => (await fetch(`${opsUrl()}/readyz`)).status === 200);
    },
    end(signal) {
      child.kill(signal);
      return exited;
    },
  };
}
