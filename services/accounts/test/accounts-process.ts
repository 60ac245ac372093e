import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tollgate/test-kit/eventually';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export interface AccountsProcess {
  /** What it has written to its log so far. */
  output(): string;
  opsUrl(): string;
  ready(): Promise<void>;
  /** Sends the signal and resolves to exit code and signal. */
  end(signal: NodeJS.Signals): Promise<unknown[]>;
  exited: Promise<unknown[]>;
}

/** The service as `npm start` runs it, with this environment. */
export function startAccountsProcess(env: Record<string, string>): AccountsProcess {
  const child: ChildProcess = spawn(process.execPath, [MAIN], { env: { ...process.env, ...env } });
  const exited = once(child, 'exit');
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
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
