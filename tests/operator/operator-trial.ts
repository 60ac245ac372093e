/**
 * The operator's trial: runs docker-compose.yml on a Docker engine, does what an operator does under load, and prints a row for each point with
 * what it measured. Exits with 1 if a point fails.
 *
 * Usage: npm run operator-trial --workspace tests [-- --local-images]
 *
 * Build the image `tollgate` first. `--local-images` uses those of tests/operator/local-images.sh, on a machine that reaches no registry of images.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { SCOPE_NAMES } from '@tollgate/contracts/applications/scopes';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { eventually } from '@tollgate/test-kit/eventually';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { type AdminCaller, adminClient } from '../support/platform/admin-client.ts';
import { createPaymentRequests, type PaymentRequests } from '../support/platform/payment-requests.ts';
import { type SteadyLoad, startSteadyLoad } from '../support/platform/steady-load.ts';
import {
  type ComposeProject,
  createProject,
  docker,
  findCompose,
  type ProjectOptions,
} from './compose-project.ts';

const REQUESTS_PER_SECOND = Number(process.env['TRIAL_REQUESTS_PER_SECOND'] ?? 20);
const SCALE = {
  gateway: 3,
  payments: 3,
  accounts: 2,
  applications: 2,
  webhooks: 2,
  usage: 2,
  audit: 2,
  dashboard: 2,
};
/** After a container was killed, callers may see errors for this long. */
const RECOVERY_MS = 3_000;
/** The balancer probes once per second. */
const BALANCER_MS = 3_000;
const ACCOUNT = { email: 'owner@example.com', password: 'correct horse battery staple' };
const LIMIT = { requests_per_second: 100_000, burst: 200_000 };
const LOCAL_IMAGES: ProjectOptions = {
  overrides: ['tests/operator/local-servers.yml'],
  env: {
    TOLLGATE_IMAGE: 'tollgate-trial/tollgate',
    NATS_IMAGE: 'tollgate-trial/nats',
    BALANCER_IMAGE: 'tollgate-trial/haproxy',
  },
};

interface Row {
  point: string;
  result: 'ok' | 'failed' | 'skipped';
  measured: string;
}

const rows: Row[] = [];

/** Runs one point. `measure` returns what it measured, and throws if the point fails. */
async function point(name: string, measure: () => Promise<string>): Promise<void> {
  let row: Row;
  try {
    row = { point: name, result: 'ok', measured: await measure() };
  } catch (error) {
    row = { point: name, result: 'failed', measured: (error as Error).message.slice(0, 500) };
  }
  rows.push(row);
  process.stdout.write(`${row.result}: ${row.point}: ${row.measured}\n`);
}

function skip(name: string, reason: string): void {
  rows.push({ point: name, result: 'skipped', measured: reason });
  process.stdout.write(`skipped: ${name}: ${reason}\n`);
}

/** Sets up the installation. Returns its owner, and an application with a sandbox key. */
async function setUp({ env, url }: ComposeProject): Promise<{ owner: AdminCaller; api: ApiClient }> {
  const anyone = adminClient(url.admin).as(null);
  const request = { ...ACCOUNT, token: env['SETUP_TOKEN'] ?? '', name: 'Owner', team_name: 'Team' };
  const { problem } = await anyone.call(ADMIN_ROUTES.setUp, request);
  if (problem !== null) throw new Error(`The setup failed: ${JSON.stringify(problem)}`);
  const { token } = (await anyone.call(ADMIN_ROUTES.signIn, ACCOUNT)).body;
  const owner = adminClient(url.admin).as(token);
  const created = await owner.call(ADMIN_ROUTES.createApplication, { name: 'Trial', scopes: SCOPE_NAMES });
  const application = { application_id: created.body.id };
  await owner.call(
    ADMIN_ROUTES.setLimits,
    { ...application, limits: { live: LIMIT, sandbox: LIMIT } },
    { ifMatch: created.body.version },
  );
  const key = await owner.call(ADMIN_ROUTES.createKey, {
    ...application,
    name: 'Trial',
    environment: 'sandbox',
  });
  const api = apiClient(url.sandbox, shownOnce(key.body.secret));
  await eventually('the gateways know the key', async () => (await api.read('x')).status === 404);
  return { owner, api };
}

/** Runs `during` while an application sends requests. */
async function underLoad(
  api: ApiClient,
  orders: string,
  during: (load: SteadyLoad) => Promise<void>,
): Promise<{ load: SteadyLoad; requests: PaymentRequests }> {
  const requests = createPaymentRequests(api, orders);
  const load = startSteadyLoad(REQUESTS_PER_SECOND, requests.send);
  await load.complete(REQUESTS_PER_SECOND);
  await during(load).finally(load.stop);
  return { load, requests };
}

const summaryOf = (load: SteadyLoad) => `${load.failures.length} of ${load.completed()} requests failed`;

function requireNoFailure(load: SteadyLoad): string {
  const [first] = load.failures;
  if (first !== undefined) throw new Error(`${summaryOf(load)}, the first with: ${first.message}`);
  return summaryOf(load);
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Reads every acknowledged payment. Returns how many there are. */
async function requireEveryPayment(api: ApiClient, requests: PaymentRequests[]): Promise<number> {
  const ids = requests.flatMap(({ acknowledged }) => [...acknowledged.values()]);
  const lost: string[] = [];
  for (const id of ids) if ((await api.read(id)).status !== 200) lost.push(id);
  if (lost.length > 0)
    throw new Error(`${lost.length} of ${ids.length} acknowledged payments are lost: ${lost[0]}, …`);
  return ids.length;
}

async function memoryOf(project: ComposeProject): Promise<string> {
  const usage = await docker(
    'stats',
    '--no-stream',
    '--format',
    '{{.MemUsage}}',
    ...(await project.containers()),
  );
  const mib = usage.split('\n').map((line) => Number.parseFloat(line) * (line.includes('GiB /') ? 1024 : 1));
  return `${Math.round(mib.reduce((sum, each) => sum + each, 0))} MiB`;
}

async function runTrial(command: string[], options: ProjectOptions): Promise<void> {
  const project = await createProject(command, 'tollgate-trial', '172.30.91', options);
  const { compose, containers } = project;
  const paid: PaymentRequests[] = [];
  let owner: AdminCaller;
  let api: ApiClient;
  try {
    await point('up: every container is healthy', async () => {
      const tookMs = await project.up();
      return `${seconds(tookMs)}, ${(await containers()).length} containers, ${await memoryOf(project)}`;
    });
    await point('setup and first payment', async () => {
      const startedAtMs = performance.now();
      ({ owner, api } = await setUp(project));
      const { status, body } = await api.create();
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
      return seconds(performance.now() - startedAtMs);
    });
    await point('the address of a caller comes from the balancer, not from the caller', async () => {
      const spoofed = '203.0.113.9';
      const { headers } = await api.request('GET', '/v1/payments/spoofed', {
        headers: { 'x-forwarded-for': spoofed },
      });
      const request_id = headers.get('x-request-id') ?? '';
      let address: string | null = null;
      await eventually(
        'the request is logged',
        async () => {
          const { problem, body } = await owner
            .call(ADMIN_ROUTES.getRequest, { request_id })
            .then((response) => ({
              problem: response.problem,
              body: response.problem === null ? response.body : null,
            }));
          address = body?.client_address ?? null;
          return problem === null;
        },
        { timeoutMs: 30_000 },
      );
      if (address === null || address === spoofed) throw new Error(`The request log has ${address}.`);
      return address;
    });
    await point('metrics are reachable from another container, and published to nobody', async () => {
      const [gateway = ''] = await containers('gateway');
      const script =
        "fetch('http://payments:9090/metrics').then(({ status }) => process.stdout.write(String(status)))";
      const status = await docker('exec', gateway, 'node', '-e', script);
      if (status !== '200') throw new Error(`The response has the status ${status}.`);
      const published = await docker('port', gateway);
      if (published !== '') throw new Error(`The gateway publishes ${published}.`);
      return 'status 200';
    });
    await point('tollgate doctor runs in the environment of payments', async () => {
      const report = await compose(
        'run',
        '--rm',
        '--no-deps',
        '-T',
        'payments',
        'tollgate',
        'doctor',
        '--json',
      ).catch(({ stdout }: { stdout: string }) => stdout);
      const { findings } = JSON.parse(report) as {
        findings: { check: string; status: string; message: string }[];
      };
      const wrong = findings.filter(({ check, status }) => status === 'problem' && check !== 'versions');
      if (wrong.length > 0) throw new Error(wrong.map(({ message }) => message).join(' '));
      return `${findings.length} findings, no problem but versions`;
    });
    await point(
      `--scale: ${Object.entries(SCALE)
        .map(([name, count]) => `${count} ${name}`)
        .join(', ')}`,
      async () => {
        const tookMs = await project.up(SCALE);
        return `${seconds(tookMs)}, ${(await containers()).length} containers, ${await memoryOf(project)}`;
      },
    );
    await point(`a payments container is killed: no error after ${seconds(RECOVERY_MS)}`, async () => {
      let killedAtMs = 0;
      const { load, requests } = await underLoad(api, 'killed', async ({ complete }) => {
        const [payments = ''] = await containers('payments');
        killedAtMs = performance.now();
        await docker('kill', payments);
        await complete((REQUESTS_PER_SECOND * 2 * RECOVERY_MS) / 1_000);
      });
      paid.push(requests);
      const lastMs = Math.max(0, ...load.failures.map(({ atMs }) => atMs - killedAtMs));
      if (lastMs > RECOVERY_MS) throw new Error(`${summaryOf(load)}, the last after ${seconds(lastMs)}`);
      return `${summaryOf(load)}, the last after ${seconds(lastMs)}`;
    });
    await point('upgrade by docker/rolling-upgrade.sh under load', async () => {
      await project.up(SCALE);
      const before = await containers();
      const startedAtMs = performance.now();
      const { load, requests } = await underLoad(api, 'upgrade', project.upgrade);
      paid.push(requests);
      const after = new Set(await containers());
      const replaced = before.filter((id) => !after.has(id)).length;
      return `${requireNoFailure(load)}, ${replaced} containers replaced in ${seconds(performance.now() - startedAtMs)}`;
    });
    await point('a second project runs beside it', async () => {
      const second = await createProject(command, 'tollgate-trial-2', '172.30.92', options);
      try {
        const tookMs = await second.up();
        const { api: other } = await setUp(second);
        const { status } = await other.create();
        const { status: first } = await api.create();
        if (status !== 201 || first !== 201) throw new Error(`The statuses are ${status} and ${first}.`);
        return `${seconds(tookMs)}, a payment in each`;
      } finally {
        await second.remove();
      }
    });
    await point('down and up keep every payment', async () => {
      await compose('down');
      await project.up(SCALE);
      await delay(BALANCER_MS);
      return `${await requireEveryPayment(api, paid)} payments`;
    });
  } finally {
    await project.remove();
  }
}

const isLocal = process.argv.includes('--local-images');
const command = await findCompose();
if (command === null) {
  skip('every point', 'no Docker engine with compose responds');
} else {
  await runTrial(command, isLocal ? LOCAL_IMAGES : { overrides: [], env: {} });
  if (isLocal) skip('MongoDB as a replica set', 'the embedded MongoDB has no replica sets');
}
console.table(rows);
process.exitCode = rows.some(({ result }) => result === 'failed') ? 1 : 0;
