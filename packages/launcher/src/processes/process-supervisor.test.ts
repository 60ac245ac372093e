import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createProcessSupervisor,
  type ProcessSupervisor,
  type RunningProcess,
} from './process-supervisor.ts';
import { stopStaleProcesses } from './stale-processes.ts';
import type { ProcessSpec, Timing } from './supervised-process.ts';

const TIMING: Partial<Timing> = {
  readyTimeoutMs: 30_000,
  readyPollMs: 5,
  minBackoffMs: 20,
  maxBackoffMs: 80,
};

let folder: string;
let said: string[];
let changes: RunningProcess[][];
let supervisor: ProcessSupervisor;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-supervisor-'));
  said = [];
  changes = [];
  supervisor = createProcessSupervisor({
    logsDir: folder,
    say: (line) => said.push(line),
    onChange: (running) => changes.push(running),
    timing: TIMING,
  });
});
afterEach(() => supervisor.stop());

const fileOf = (name: string) => join(folder, name);
const IDLE = 'setInterval(() => undefined, 1000);';

/** A process that counts its starts in a file, and is ready when it has written the file. */
function script(name: string, body: string): ProcessSpec {
  const marker = fileOf(`${name}.started`);
  const path = fileOf(`${name}.mjs`);
  writeFileSync(
    path,
    `import { appendFileSync } from 'node:fs';
     const say = (text) => appendFileSync(${JSON.stringify(fileOf('order'))}, text + '\\n');
     ${body}
     appendFileSync(${JSON.stringify(marker)}, process.pid + '\\n');`,
  );
  return {
    name,
    command: process.execPath,
    args: [path],
    env: {},
    stopTimeoutMs: 30_000,
    isReady: async () => existsSync(marker) && readFileSync(marker, 'utf8').endsWith('\n'),
  };
}

const startsOf = (name: string) =>
  readFileSync(fileOf(`${name}.started`), 'utf8')
    .trim()
    .split('\n')
    .map(Number);
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`Still not true. Printed: ${said.join(' | ')}`);
    await delay(5);
  }
}

test('a process that dies is restarted, which is printed and logged', async () => {
  await supervisor.startStage([script('worker', IDLE)]);
  const [first] = startsOf('worker');
  process.kill(first as number, 'SIGKILL');

  await until(
    () => startsOf('worker').length === 2 && said.some((line) => line.includes('is running again')),
  );

  expect(said[0]).toMatch(/^worker ended unexpectedly; restarting it in 0\.0 s\. Its log: .*worker\.log$/);
  expect(readFileSync(fileOf('worker.log'), 'utf8')).toContain('worker ended unexpectedly');
  expect(supervisor.running()).toEqual([
    expect.objectContaining({ name: 'worker', pid: startsOf('worker')[1] }),
  ]);
});

test('a process that keeps dying is restarted with increasing delays, up to a limit', async () => {
  const hasStarted = fileOf('fragile.has-started');
  await supervisor.startStage([
    script(
      'fragile',
      `const { existsSync } = await import('node:fs');
       setInterval(() => { if (existsSync(${JSON.stringify(hasStarted)})) process.exit(1); }, 30);`,
    ),
  ]);
  writeFileSync(hasStarted, '');

  await until(() => said.filter((line) => line.includes('restarting')).length >= 5);

  const log = readFileSync(fileOf('fragile.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const pauses = log.flatMap((entry, index) => {
    const next = log[index + 1];
    return entry.msg.includes('unexpectedly') && next ? [Date.parse(next.time) - Date.parse(entry.time)] : [];
  });
  expect(pauses[1]).toBeGreaterThanOrEqual(39);
  expect(pauses[2]).toBeGreaterThanOrEqual(79);
  expect(pauses[3]).toBeGreaterThanOrEqual(79);
});

test('stages stop in the reverse order of their start, each after the previous one has ended', async () => {
  const onTerm = (name: string) =>
    `process.on('SIGTERM', () => setTimeout(() => { say('${name} stopped'); process.exit(0); }, 50)); ${IDLE}`;
  await supervisor.startStage([script('database', onTerm('database'))]);
  await supervisor.startStage([script('service', onTerm('service'))]);

  await supervisor.stop();

  expect(readFileSync(fileOf('order'), 'utf8')).toBe('service stopped\ndatabase stopped\n');
  expect(supervisor.running()).toEqual([]);
  expect(changes.at(-1)).toEqual([]);
});

test('a process that ignores SIGTERM is killed after the timeout', async () => {
  const stubborn = script('stubborn', `process.on('SIGTERM', () => undefined); ${IDLE}`);
  await supervisor.startStage([{ ...stubborn, stopTimeoutMs: 300 }]);
  const [pid] = startsOf('stubborn') as [number];

  await supervisor.stop();

  expect(isAlive(pid)).toBe(false);
});

test('a stopped process is not restarted, even while it waits for a restart', async () => {
  await supervisor.startStage([script('worker', IDLE)]);
  process.kill(startsOf('worker')[0] as number, 'SIGKILL');
  await until(() => said.length > 0);

  await supervisor.stop();

  expect(supervisor.running()).toEqual([]);
  expect(startsOf('worker').every((pid) => !isAlive(pid))).toBe(true);
});

test('a process that does not become ready is an error with the end of its log', async () => {
  const broken = script('broken', `console.error('PORT must be a number'); process.exit(1);`);
  await expect(supervisor.startStage([broken])).rejects.toThrow(
    /broken exited immediately[\s\S]*PORT must be a number/,
  );
});

test('a missing executable is an error that the launcher survives', async () => {
  const missing = { ...script('missing', ''), command: '/nowhere/program' };
  await expect(supervisor.startStage([missing])).rejects.toThrow(/missing exited immediately[\s\S]*ENOENT/);
});

test('processes get only their own environment, without the launcher’s', async () => {
  process.env['TEST_LAUNCHER_SECRET'] = 'secret';
  const spec = script('clean', `say(JSON.stringify(process.env)); ${IDLE}`);
  await supervisor.startStage([{ ...spec, env: { GIVEN: 'yes' } }]);
  delete process.env['TEST_LAUNCHER_SECRET'];

  const seen = JSON.parse(readFileSync(fileOf('order'), 'utf8'));
  expect(seen['GIVEN']).toBe('yes');
  expect(seen).not.toHaveProperty('TEST_LAUNCHER_SECRET');
});

test('a launcher ends the processes that a killed one left running, and nothing else', async () => {
  await supervisor.startStage([script('orphan', IDLE), script('bystander', IDLE)]);
  const [orphan, bystander] = supervisor.running() as [RunningProcess, RunningProcess];
  // The system has reused the pid of a dead process.
  const reused = { ...bystander, commandLine: 'node some-other-program.ts' };

  expect(
    await stopStaleProcesses([orphan, reused, { name: 'gone', pid: 2 ** 22, commandLine: 'x' }]),
  ).toEqual(['orphan']);

  await until(() => !isAlive(orphan.pid));
  expect(isAlive(bystander.pid)).toBe(true);
});
