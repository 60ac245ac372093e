import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { findFreePorts } from '@tollgate/local-servers/free-ports';

/**
 * Measures `npm start` in both topologies, in turn, so that the ratio is meaningful on a busy machine: the time until the first payment,
 * what each step takes, and the memory of the idle platform.
 *
 * Usage: node bench/start.ts [rounds]
 */
const ROUNDS = Number(process.argv[2] ?? 5);
const TOPOLOGIES = ['all-in-one', 'separate'] as const;
const PORT_VARIABLES = ['LIVE_PORT', 'SANDBOX_PORT', 'ADMIN_PORT', 'DASHBOARD_PORT'];
const IDLE_MS = 10_000;

interface Quickstart {
  sandbox: { base_url: string; api_key: string };
  processes: { name: string; pid: number }[];
}

interface Sample {
  firstPaymentMs: number;
  /** Milliseconds until the terminal shows the line. */
  lines: Map<string, number>;
  /** Memory by process. */
  memoryMb: Map<string, number>;
}

const dataDirs = Object.fromEntries(
  TOPOLOGIES.map((topology) => [topology, mkdtempSync(join(tmpdir(), `tollgate-${topology}-`))]),
);
const samples = new Map(TOPOLOGIES.map((topology): [string, Sample[]] => [topology, []]));
try {
  // The first start builds the dashboard and the documentation, and creates the data.
  for (const topology of TOPOLOGIES) await measure(topology);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const topology of round % 2 === 0 ? TOPOLOGIES : TOPOLOGIES.toReversed()) {
      samples.get(topology)?.push(await measure(topology));
    }
  }
  for (const topology of TOPOLOGIES) print(topology, samples.get(topology) ?? []);
} finally {
  for (const folder of Object.values(dataDirs)) rmSync(folder, { recursive: true, force: true });
}

async function measure(topology: string): Promise<Sample> {
  const dataDir = dataDirs[topology] as string;
  const ports = await findFreePorts(PORT_VARIABLES.length);
  const startedAtMs = performance.now();
  const npm = spawn('npm', ['start'], {
    cwd: CHECKOUT_DIR,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    env: {
      ...process.env,
      TOLLGATE_TOPOLOGY: topology,
      TOLLGATE_DATA_DIR: dataDir,
      ...Object.fromEntries(PORT_VARIABLES.map((name, index) => [name, String(ports[index])])),
    },
  });
  const lines = new Map<string, number>();
  for await (const text of npm.stdout.setEncoding('utf8')) {
    for (const line of text.split('\n')) {
      if (/^(Starting|Tollgate is running)/.test(line)) lines.set(line, performance.now() - startedAtMs);
    }
    if (text.includes('Press Ctrl+C')) break;
  }
  const { sandbox, processes } = JSON.parse(
    readFileSync(join(dataDir, 'quickstart.json'), 'utf8'),
  ) as Quickstart;
  await createPayment(sandbox);
  const firstPaymentMs = performance.now() - startedAtMs;
  while (processesOfGroup(npm.pid as number).some(isDocsBuild)) await delay(100);
  await delay(IDLE_MS);
  const memoryMb = new Map(processes.map(({ name, pid }) => [name, memoryOf(pid)]));
  memoryMb.set('npm and launcher', sum(processesOfGroup(npm.pid as number).map(memoryOf)));
  process.kill(-(npm.pid as number), 'SIGTERM');
  await once(npm, 'exit');
  while (isLocked(dataDir)) await delay(50);
  return { firstPaymentMs, lines, memoryMb };
}

async function createPayment({ base_url, api_key }: Quickstart['sandbox']): Promise<void> {
  const response = await fetch(`${base_url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 1999, currency: 'EUR' }),
  });
  if (response.status !== 201) throw new Error(`The first payment failed with ${response.status}.`);
}

/** npm and its shell may end before the launcher has stopped the platform. */
function isLocked(dataDir: string): boolean {
  const pid = Number(readFileSync(join(dataDir, 'launcher.lock.pid'), 'utf8'));
  return commandLineOf(pid) !== '';
}

/** It runs in the background, and its memory is not that of the platform. */
function isDocsBuild(pid: number): boolean {
  return commandLineOf(pid).includes('packages/docs-site');
}

/** Empty if the process has ended. */
function commandLineOf(pid: number): string {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** The proportional set size: pages that processes share count once. Linux only. */
function memoryOf(pid: number): number {
  const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

function processesOfGroup(group: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [, , processGroup] = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ');
        return Number(processGroup) === group;
      } catch {
        return false; // It has ended in the meantime.
      }
    });
}

function print(topology: string, taken: Sample[]): void {
  const seconds = (values: number[]) => `${(median(values) / 1000).toFixed(1)} s`;
  const [last] = taken.slice(-1);
  process.stdout.write(
    `\n${topology}: first payment after ${seconds(taken.map(({ firstPaymentMs }) => firstPaymentMs))} ` +
      `(median of ${taken.length}), ${sum([...(last?.memoryMb.values() ?? [])]).toFixed(0)} MB idle\n`,
  );
  console.table(
    [...(last?.lines.keys() ?? [])].map((line) => ({
      line,
      after: seconds(taken.flatMap(({ lines }) => lines.get(line) ?? [])),
    })),
  );
  console.table(
    [...(last?.memoryMb ?? [])].map(([process, megabytes]) => ({ process, MB: Math.round(megabytes) })),
  );
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
