import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import type { Script, ScriptedComponent } from '../test/scripted-process.ts';

const PROCESS = fileURLToPath(new URL('../test/scripted-process.ts', import.meta.url));

let child: ChildProcess;
afterEach(() => {
  child.kill('SIGKILL');
});

/** Starts a real process, because the tests assert signals and exit codes. */
function start(script: Script, env: Record<string, string> = {}) {
  child = spawn(process.execPath, [PROCESS, JSON.stringify(script)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  let output = '';
  child.stdout?.on('data', (text) => {
    output += text;
  });
  const exited = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  return {
    output: () => output,
    /** What the components said, in order. */
    said: () => output.split('\n').filter((line) => line !== '' && !line.startsWith('{')),
    says: (text: string) => expect.poll(() => output, { timeout: 10_000 }).toContain(text),
    exited,
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      return exited;
    },
  };
}

const service: ScriptedComponent = { name: 'service' };
const gateway: ScriptedComponent = { name: 'gateway' };

it.each(['SIGTERM', 'SIGINT'] as const)(
  'a process that stops on %s makes everything unready, stops the stages in reverse order, and exits with code 0',
  async (signal) => {
    const { said, says, end, output } = start({
      stages: [[service], [{ ...gateway, drainDelayMs: 100, stopMs: 50 }]],
    });
    await says('gateway runs');
    await says('service runs');
    expect(await end(signal)).toEqual([0, null]);
    expect(said().slice(2)).toEqual([
      'service is unready',
      'gateway is unready',
      'gateway has stopped',
      'service has stopped',
    ]);
    expect(output()).toContain('"msg":"stopped"');
  },
  20_000,
);

it('a process that stops waits once for the longest drain', async () => {
  const parts = Array.from({ length: 20 }, (_, index) => ({
    ...service,
    name: `part ${index}`,
    drainDelayMs: 1_000,
  }));
  const { says, end } = start({ stages: parts.map((part) => [part]) });
  for (const { name } of parts) await says(`${name} runs`);
  const startedAt = performance.now();
  expect(await end('SIGTERM')).toEqual([0, null]);
  const tookMs = performance.now() - startedAt;
  expect(tookMs).toBeGreaterThan(990);
  // One after the other, they would take 20 seconds.
  expect(tookMs).toBeLessThan(10_000);
}, 40_000);

it('a process that stops does not count the drain as time for what is in flight', async () => {
  const { said, says, end } = start({
    stages: [[{ ...service, drainDelayMs: 600, stopMs: 100 }]],
    stageTimeoutMs: 500,
  });
  await says('service runs');
  expect(await end('SIGTERM')).toEqual([0, null]);
  expect(said()).toContain('service has stopped');
}, 20_000);

it('a process that stops ends soon after the drain if a component never stops, stops the stages before it, and exits with code 1', async () => {
  const { said, says, end, output } = start({
    stages: [[service], [{ ...gateway, stopMs: null }]],
    stageTimeoutMs: 200,
  });
  await says('gateway runs');
  await says('service runs');
  expect(await end('SIGTERM')).toEqual([1, null]);
  expect(said()).toContain('service has stopped');
  expect(output()).toContain('did not finish what was in flight within 0.2 s');
}, 20_000);

it('a process that stops logs the failure of a component to stop, and stops the others', async () => {
  const { said, says, end, output } = start({ stages: [[service], [{ ...gateway, fails: 'to stop' }]] });
  await says('gateway runs');
  await says('service runs');
  expect(await end('SIGTERM')).toEqual([0, null]);
  expect(said()).toContain('service has stopped');
  expect(output()).toContain('a lost connection');
}, 20_000);

it('a process that stops logs a fatal error, stops everything, and exits with code 1', async () => {
  const { said, exited, output } = start({ stages: [[{ ...service, fails: 'while it runs' }]] });
  expect(await exited).toEqual([1, null]);
  expect(said()).toContain('service has stopped');
  expect(output()).toContain('a fatal mistake');
}, 20_000);

it('a process that stops respects LOG_LEVEL', async () => {
  const { says, end, output } = start({ stages: [[service]] }, { LOG_LEVEL: 'error' });
  await says('service runs');
  expect(await end('SIGTERM')).toEqual([0, null]);
  expect(output()).not.toContain('{');
}, 20_000);

it('a process that has not started completely stops the running components on a signal', async () => {
  const { said, says, end } = start({ stages: [[service], [{ ...gateway, startMs: null }]] });
  await says('service runs');
  expect(await end('SIGTERM')).toEqual([0, null]);
  expect(said()).toEqual(['service runs', 'service is unready', 'service has stopped']);
}, 20_000);

it('a process that has not started completely stops the running components if another one cannot start, and exits with code 1', async () => {
  const { said, exited, output } = start({
    stages: [[service], [{ ...gateway, startMs: 100, fails: 'to start' }]],
  });
  expect(await exited).toEqual([1, null]);
  expect(said()).toEqual(['service runs', 'service is unready', 'service has stopped']);
  const lines = output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    {
      level: 'fatal',
      msg: 'the process could not start',
      err: { message: 'mongodb://app:***@db is unreachable' },
    },
  ]);
}, 20_000);
