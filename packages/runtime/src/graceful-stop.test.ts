import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const PROCESS = fileURLToPath(new URL('../test/stopping-process.ts', import.meta.url));

let child: ChildProcess;
afterEach(() => {
  child.kill('SIGKILL');
});

/** Starts a real process, because the tests assert signals and exit codes. */
function start(mode: 'stop' | 'hang' | 'crash') {
  child = spawn(process.execPath, [PROCESS, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout?.on('data', (text) => {
    output += text;
  });
  return {
    output: () => output,
    running: () => expect.poll(() => output, { timeout: 10_000 }).toContain('running'),
    exited: once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  };
}

/** The completed steps, in order. */
const stepsIn = (output: string) => output.match(/^(unready|drained|closed)$/gm);

describe('a process that stops', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s runs its steps in order, even after a step fails, and exits with code 0',
    async (signal) => {
      const { output, running, exited } = start('stop');
      await running();
      child.kill(signal);
      expect(await exited).toEqual([0, null]);
      expect(stepsIn(output())).toEqual(['unready', 'drained', 'closed']);
      expect(output()).toContain('"step":"flush"');
      expect(output()).toContain('"msg":"stopped"');
    },
    20_000,
  );

  it('after a fatal error logs the error, runs its steps, and exits with code 1', async () => {
    const { output, exited } = start('crash');
    const [code] = await exited;
    expect(code).toBe(1);
    expect(stepsIn(output())).toEqual(['unready', 'drained', 'closed']);
    expect(output()).toContain('a fatal mistake');
  }, 20_000);

  it('exits with code 1 when a step hangs', async () => {
    const { output, running, exited } = start('hang');
    await running();
    child.kill('SIGTERM');
    const [code] = await exited;
    expect(code).toBe(1);
    expect(stepsIn(output())).toEqual(['unready', 'drained']);
  }, 20_000);
});
