import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EXAMPLE_PAYMENT_ID } from '@tollgate/gateway/docs/examples';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { report } from '../../support/report.ts';
import type { Benchmark, Comparison } from '../benchmark.ts';
import { moveToCore, onCore } from '../cores.ts';
import { type LoadOptions, pidOf, type Sample } from '../measure.ts';
import { isNginxInstalled, nginxArguments } from '../proxies/nginx.ts';
import { type HttpProgram, localUrl, scriptPath, scriptProgram, startProgram } from '../script-server.ts';

const run = promisify(execFile);

/** Each workload runs until the code is compiled. Counted in requests, so that a slow proxy is not measured colder than a fast one. */
const WARM_UP = { requests: 20_000 };
/** What a team would build instead. The aim compares with it, the ratios to the other proxies have none. */
const BASELINE = '@fastify/http-proxy with keys, rate limit, metrics, and log';
const GATEWAY = 'Tollgate gateway';

const WORKLOADS = [
  { title: 'Read a payment', method: 'GET', path: `/v1/payments/${EXAMPLE_PAYMENT_ID}`, aim: 0.9 },
  { title: 'Create a payment', method: 'POST', path: '/v1/payments', aim: 0.9 },
] as const;

/** A proxy that starts anew for each round. */
interface Subject {
  url: string;
  start(): Promise<{ pid: number; stop(): Promise<void> }>;
}

/**
 * Processor time per request of the gateway with everything on (authentication, rate limits, usage, access log, metrics), and of
 * proxies that only forward, each in front of the same synthetic upstream.
 */
export const benchmarkGateway: Benchmark = async ({ rounds, secondsPerRound }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-benchmark-'));
  const upstreamPort = await findFreePort();
  const upstreamUrl = localUrl(upstreamPort);
  const upstream = await startProgram({
    ...scriptProgram('synthetic-payments.ts', upstreamPort),
    core: 'rest',
  });
  // Payments announces the synthetic upstream in its own place.
  const platform = await startPlatform({ gatewayLogLevel: 'info', advertise: async () => upstreamUrl });
  try {
    const { keys } = await platform.createApplication();
    const headers = { authorization: `Bearer ${keys.sandbox}` };
    const subjects = await listSubjects(platform, { upstreamUrl, folder, key: keys.sandbox });
    const comparisons = WORKLOADS.map((workload) => ({ workload, figures: emptyFigures(subjects) }));
    for (let round = 0; round < rounds; round++) {
      for (const [name, subject] of inTurn([...subjects], round)) {
        const { pid, stop } = await subject.start();
        const target = { name, url: subject.url, pid, headers };
        for (const { workload } of comparisons) await generateLoad({ target, ...workload, until: WARM_UP });
        for (const { workload, figures } of comparisons) {
          const { cpuMsPer1000 } = await generateLoad({
            target,
            ...workload,
            until: { seconds: secondsPerRound },
          });
          figures[name]?.push(cpuMsPer1000);
        }
        await stop();
      }
    }
    return comparisons.map(({ workload, figures }) => comparisonOf(workload, figures));
  } finally {
    await platform.stop();
    await upstream.stop();
    rmSync(folder, { recursive: true });
  }
};

async function listSubjects(
  platform: Platform,
  { upstreamUrl, folder, key }: { upstreamUrl: string; folder: string; key: string },
): Promise<Map<string, Subject>> {
  const subjects = new Map<string, Subject>();
  if (isNginxInstalled()) {
    const port = await findFreePort();
    const args = nginxArguments({ folder, port, upstream: upstreamUrl });
    subjects.set('nginx proxy_pass', programSubject({ command: 'nginx', args, port }));
  } else {
    report('nginx is not installed, so it is not measured. Install it with: apt-get install nginx');
  }
  const proxy = async (script: string) =>
    programSubject(
      scriptProgram(`proxies/${script}`, await findFreePort(), [upstreamUrl, hash('sha256', key)]),
    );
  subjects.set('node:http and undici alone', await proxy('node-http.ts'));
  subjects.set('Fastify route, undici, and HMAC', await proxy('signing-route.ts'));
  subjects.set('bare @fastify/http-proxy', await proxy('http-proxy.ts'));
  subjects.set(BASELINE, await proxy('assembled-gateway.ts'));
  subjects.set('Express 5 + http-proxy-middleware', await proxy('express.ts'));
  subjects.set(GATEWAY, gatewaySubject(platform));
  return subjects;
}

function gatewaySubject({ processes: { gateway }, baseUrl }: Platform): Subject {
  return {
    url: baseUrl.sandbox,
    async start() {
      await gateway.stop();
      await gateway.start();
      const pid = pidOf(gateway);
      moveToCore('subject', pid);
      return { pid, stop: gateway.stop };
    },
  };
}

function programSubject(program: HttpProgram): Subject {
  return {
    url: localUrl(program.port),
    async start() {
      const server = await startProgram({ ...program, core: 'subject' });
      return { pid: pidOf(server), stop: server.stop };
    },
  };
}

/** The load generator is a process of its own, so that it is on one core and this process is on any. */
async function generateLoad(options: LoadOptions): Promise<Sample> {
  const { command, args } = onCore('rest', process.execPath, [
    scriptPath('generate-load.ts'),
    JSON.stringify(options),
  ]);
  const { stdout } = await run(command, args);
  return JSON.parse(stdout) as Sample;
}

function comparisonOf(
  { title, method, aim }: (typeof WORKLOADS)[number],
  figures: Comparison['figures'],
): Comparison {
  return {
    title: `${title} (${method}) through a proxy`,
    figure: 'CPU per request (µs)',
    figures,
    baseline: BASELINE,
    aim: { subject: GATEWAY, atMost: aim },
  };
}

function emptyFigures(subjects: ReadonlyMap<string, Subject>): Record<string, number[]> {
  return Object.fromEntries([...subjects.keys()].map((name) => [name, []]));
}

/** Each round starts with the next one, so that none is always measured after the same other. */
function inTurn<Item>(items: Item[], round: number): Item[] {
  const start = round % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
