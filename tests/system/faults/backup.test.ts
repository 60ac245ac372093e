import { createPrivateKey, createPublicKey } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { embeddedMongoDBCommand, embeddedMongoDBUrl } from '@tollgate/local-servers/embedded-mongodb';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { isPortOpen } from '@tollgate/local-servers/is-port-open';
import { startChildServer } from '@tollgate/test-kit/child-server';
import { eventually } from '@tollgate/test-kit/eventually';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { type Installation, startInstallation } from '../../support/platform/installation.ts';
import { reconcileUsage } from '../../support/platform/reconcile-usage.ts';
import { runTollgate } from '../../support/platform/run-tollgate.ts';
import { report } from '../../support/report.ts';

/** Requests in flight at any time. */
const CONCURRENCY = 8;
const PAYMENTS_BEFORE = 150;
/** Slow enough that payments are created during the copy. */
const MAX_RATE_MIB = 4;

interface Acknowledged {
  id: string;
  atMs: number;
}

let folder: string;
let original: Installation;
let acknowledged: Acknowledged[];
let takenAtMs: number;
let documents: number;

const path = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-backup-test-'));
  original = await startInstallation(path('original'));
  const load = startLoad(original);
  await eventually('payments are acknowledged', () => load.acknowledged.length >= PAYMENTS_BEFORE, {
    timeoutMs: 60_000,
  });
  const args = [
    'backup',
    '--to',
    path('backup'),
    '--with-secrets',
    '--json',
    '--max-rate',
    String(MAX_RATE_MIB),
  ];
  const { code, out, err } = await runTollgate(args, { TOLLGATE_DATA_DIR: path('original') });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  await load.stop();
  acknowledged = load.acknowledged;
  const manifest = JSON.parse(out);
  takenAtMs = Date.parse(manifest.taken_at);
  documents = manifest.databases.tollgate_payments.payments;
});
afterAll(async () => {
  await original?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Creates payments with `CONCURRENCY` requests in flight until it is stopped. */
function startLoad({ sandbox }: Installation) {
  const api = apiClient(sandbox.baseUrl, sandbox.apiKey);
  const created: Acknowledged[] = [];
  let isOn = true;
  async function create(): Promise<void> {
    while (isOn) {
      const { status, body } = await api.create({ amount: 1999, currency: 'EUR' });
      if (status === 201) created.push({ id: body.id, atMs: Date.now() });
    }
  }
  const workers = Array.from({ length: CONCURRENCY }, create);
  return {
    acknowledged: created,
    async stop() {
      isOn = false;
      await Promise.all(workers);
    },
  };
}

const before = () => acknowledged.filter(({ atMs }) => atMs < takenAtMs);

it('a backup that was taken under load has every payment that was acknowledged before it, and few others', () => {
  report(
    `${documents} payments in the backup, ${before().length} acknowledged before it, ${acknowledged.length} in all`,
  );
  expect(before().length).toBeGreaterThanOrEqual(PAYMENTS_BEFORE);
  expect(acknowledged.length).toBeGreaterThan(documents);
  expect(documents - before().length).toBeGreaterThanOrEqual(0);
});

it('a backup that was taken under load starts in another folder while the original runs, and lacks nothing that was acknowledged', async () => {
  const restored = await startRestored();
  const wanted = before().map(({ id }) => id);
  const stored = new Set(await paymentIds(restored));
  expect(wanted.filter((id) => !stored.has(id))).toEqual([]);

  const api = apiClient(restored.sandbox.baseUrl, restored.sandbox.apiKey);
  expect((await api.read(wanted.at(-1) ?? '')).status).toBe(200);
  for (const { sandbox } of [original, restored])
    expect((await apiClient(sandbox.baseUrl, sandbox.apiKey).create()).status).toBe(201);

  const day = new Date(takenAtMs).toISOString().slice(0, 10);
  const period = { from: day, to: new Date().toISOString().slice(0, 10) };
  let output = '';
  await eventually(
    'usage reconciles with payments, up to the requests that were in flight',
    async () => {
      output = (await reconcileUsage(restored, period)).output;
      return differencesIn(output).every((difference) => Math.abs(difference) <= CONCURRENCY);
    },
    { timeoutMs: 30_000, intervalMs: 500 },
  ).finally(() => report(output));
}, 120_000);

it('a backup that was taken under load moves to another server, where its audit logs verify with the public key alone', async () => {
  const [source, target] = [await serve('backup/data.db'), await serve('empty.db')];
  const exported = await runTollgate(['export', '--to', path('export')], { MONGODB_URL: source });
  expect(exported).toMatchObject({ code: 0 });
  writeFileSync(path('audit.pem'), auditPublicKey(original));
  const imported = await runTollgate(
    ['import', '--from', path('export'), '--public-key', path('audit.pem')],
    {
      MONGODB_URL: target,
    },
  );
  expect(imported.out).toMatch(/Audit logs of \d+ teams with [1-9]\d* records and \d+ tree heads: intact\./);
  expect(imported.code).toBe(0);
}, 60_000);

async function startRestored(): Promise<Installation> {
  mkdirSync(path('restored/mongodb'), { recursive: true });
  cpSync(path('backup/data.db'), path('restored/mongodb/data.db'));
  cpSync(path('backup/gateway-usage'), path('restored/gateway-usage'), { recursive: true });
  for (const name of ['secrets.json', 'first-run.json'])
    cpSync(path(`backup/${name}`), path(`restored/${name}`));
  const restored = await startInstallation(path('restored'));
  onTestFinished(restored.stop);
  return restored;
}

async function paymentIds({ urls }: Installation): Promise<string[]> {
  const client = new MongoClient(urls.mongodbUrlOf('payments'));
  onTestFinished(() => client.close());
  return client.db(DATABASES.payments).collection<{ _id: string }>('payments').distinct('_id');
}

/** What payments has more than usage, by row of the report. */
function differencesIn(output: string): number[] {
  const rows = [...output.matchAll(/^\d{4}-\d\d-\d\d .* ([+-]?\d+)$/gm)].map(([, difference]) =>
    Number(difference),
  );
  if (rows.length === 0) throw new Error(`The report has no rows:\n${output}`);
  return rows;
}

/** Serves a copy of a data file with the embedded MongoDB. */
async function serve(name: string): Promise<string> {
  const port = await findFreePort();
  const served = path(`${name.replaceAll('/', '-')}.served`);
  if (name.startsWith('backup/')) cpSync(path(name), served);
  const user = { user: 'root', password: 'root-password' };
  const { command, args, env } = embeddedMongoDBCommand({ port, path: served, ...user });
  const { stop } = await startChildServer({
    name: 'embedded-mongodb',
    command,
    args,
    env: { ...process.env, ...env },
    isReady: () => isPortOpen(port),
  });
  onTestFinished(stop);
  return embeddedMongoDBUrl({ port, ...user });
}

function auditPublicKey({ secrets }: Installation): string {
  const [, encoded = ''] = secrets.AUDIT_SIGNING_KEYS.split(':');
  const key = createPrivateKey({ key: Buffer.from(encoded, 'base64'), format: 'der', type: 'pkcs8' });
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
}
