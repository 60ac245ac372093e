import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createToken } from '@tollgate/contracts/accounts/rpc';
import { setApprovalPolicy } from '@tollgate/contracts/payments/rpc';
import type { ApprovalThreshold } from '@tollgate/contracts/payments/settlement-approval';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeBlocksOf } from '../../support/platform/code-blocks.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';
import { comparable } from '../../support/platform/transcript.ts';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
const WITHIN = { timeoutMs: 60_000 };

let platform: SharedPlatform;
let team: TestTeam;
let application: TestApplication;
let token: string;
let folder: string;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  application = await platform.createApplication(team);
  token = shownOnce((await team.owner.call(createToken, { name: 'Guides', role: 'developer' })).secret);
  folder = mkdtempSync(join(tmpdir(), 'tollgate-guides-'));
  writeFileSync(
    join(folder, 'quickstart.json'),
    JSON.stringify({
      application_id: application.id,
      admin: { base_url: platform.adminUrl, email: team.owner.email, password: team.owner.password },
    }),
  );
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await platform?.leave();
});

const shellBlocks = (page: string) =>
  codeBlocksOf(page)
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code);

/** Runs commands of a page as its reader would, at this platform, and returns what they print. */
async function run(commands: string, env: Record<string, string> = {}): Promise<string> {
  const here = commands
    .replaceAll('http://localhost:8081', platform.baseUrl.sandbox)
    .replaceAll('http://localhost:8082', platform.adminUrl)
    .replaceAll('./.tollgate/quickstart.json', join(folder, 'quickstart.json'));
  const { stdout } = await promisify(execFile)('sh', ['-euc', here], {
    cwd: CHECKOUT,
    env: { PATH: process.env['PATH'], KEY: application.keys.sandbox, TOKEN: token, ...env },
  });
  return stdout;
}

const json = async (commands: string, env?: Record<string, string>) =>
  JSON.parse((await run(commands, env)).replace(/^HTTP.*\r\n\r\n/s, '')) as Record<string, unknown>;

it('the guides show a payment that is created as written', async () => {
  const [create = ''] = shellBlocks('guides/payments');
  expect(await json(create)).toMatchObject({ amount: 1999, currency: 'EUR', reference: 'order-1' });
});

it('the guides show an approval policy that can be set as written', async () => {
  const { owner } = await platform.createTeam();
  const [block] = codeBlocksOf('guides/approve-settlements');
  const policy = JSON.parse(block?.code ?? '') as { thresholds: ApprovalThreshold[] };
  expect(await owner.call(setApprovalPolicy, policy)).toEqual({ ...policy, version: 2 });
});

it('the guides show a request with the header that authenticates it', async () => {
  const [block] = codeBlocksOf('guides/authentication');
  const [, path = '', header = ''] = /^GET (\S+) HTTP\/1\.1\n(.+)\n$/.exec(block?.code ?? '') ?? [];
  const [name = '', value = ''] = header.split(': ');
  const response = await fetch(platform.baseUrl.sandbox + path, {
    headers: { [name]: value.replace('tg_sandbox_…', application.keys.sandbox) },
  });
  // The payment of the example does not exist, but its caller is known.
  expect(((await response.json()) as { code: string }).code).toBe('payment-not-found');
});

it('the guides show an error as the API returns it', async () => {
  const [block] = codeBlocksOf('guides/errors-and-retries');
  const example = JSON.parse(block?.code ?? '');
  const response = await fetch(`${platform.baseUrl.sandbox}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${application.keys.sandbox}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 0, currency: 'EUR' }),
  });
  const { type, request_id, ...actual } = (await response.json()) as Record<string, unknown>;
  const { type: exampleType, request_id: exampleId, ...expected } = example;
  expect(actual).toEqual(expected);
  expect(String(type).split('/docs/')[1]).toBe(exampleType.split('/docs/')[1]);
  expect(request_id).toEqual(expect.stringMatching(/^req_/));
  expect(exampleId).toEqual(expect.stringMatching(/^req_/));
});

it('the guides read usage, a request, and failed requests', async () => {
  const [usage = '', request = '', failed = ''] = shellBlocks('guides/usage-and-requests');
  const { data: rows } = await json(usage);
  expect(rows).toEqual([]);

  await run(`curl -s http://localhost:8081/v1/payments/pay_unknown -H "Authorization: Bearer $KEY"`);
  let found: { id: string }[] = [];
  await eventually(
    'the failed request in the log',
    async () => {
      found = (await json(failed))['data'] as { id: string }[];
      return found.length > 0;
    },
    WITHIN,
  );
  expect(await json(request, { REQUEST_ID: found[0]?.id ?? '' })).toMatchObject({ id: found[0]?.id });
});

it('the guides list applications, and the shape of a list, with the admin API', async () => {
  const [list = '', feed = ''] = shellBlocks('guides/admin-api');
  const page = await json(list);
  const shape = codeBlocksOf('guides/admin-api').find(({ language }) => language === 'json');
  expect(Object.keys(page)).toEqual(Object.keys(JSON.parse(shape?.code ?? '')));
  expect(page['data']).toEqual([expect.objectContaining({ id: application.id })]);
  expect((await json(feed))['next_cursor']).toEqual(expect.any(String));
});

it('the guides export the payments of a day, with what an application compares', async () => {
  const [create = ''] = shellBlocks('guides/payments');
  const { id, reference } = await json(create);
  const [exportDay = ''] = shellBlocks('guides/reconcile-orders');
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const csv = await run(
    exportDay
      .replace('2026-11-01', day(Date.now() - 86_400_000))
      .replace('2026-11-02', day(Date.now() + 86_400_000)),
  );
  const [columns = '', ...rows] = csv.replace('\uFEFF', '').split('\r\n');
  expect(columns.split(',')).toEqual(
    expect.arrayContaining(['id', 'reference', 'status', 'amount_minor', 'currency']),
  );
  expect(rows.filter((row) => row.startsWith(`${id},`) && row.includes(`,${reference},`))).toHaveLength(1);
});

it('the guides create, use, rotate, and revoke an API token, and create an application once', async () => {
  const [signIn = '', create = '', use = '', replace = '', , , createApplication = ''] = shellBlocks(
    'guides/automate-with-api-tokens',
  );
  const env = { ADMIN_URL: platform.adminUrl };
  const { token: session } = await json(
    signIn
      .replace(/^ADMIN_URL=.*\n/, '')
      .replace('owner@tollgate.local', team.owner.email)
      .replace('"…"', JSON.stringify(team.owner.password)),
    env,
  );
  const asOwner = { ...env, SESSION_TOKEN: String(session) };
  const created = await json(
    create.replace('SESSION_TOKEN=…\n', '').replace('203.0.113.0/24', '127.0.0.0/8'),
    asOwner,
  );
  const asToken = { ...env, API_TOKEN: String(created['secret']) };
  expect(await json(use.replace('API_TOKEN=tg_admin_…\n', ''), asToken)).toHaveProperty('data');

  const first = await json(createApplication, { ...env, API_TOKEN: token });
  const repeated = await run(createApplication, { ...env, API_TOKEN: token });
  expect(repeated).toMatch(/^idempotent-replayed: true\r$/im);
  expect(repeated).toContain(`"id":"${first['id']}"`);

  const [readItself = '', rotate = '', revoke = ''] = replace.trim().split(/\n(?=curl)/);
  const { id } = created;
  expect(await json(readItself, asToken)).toMatchObject({ api_token: { id }, team: { id: team.id } });
  const ofCreated = (command: string) => command.replace('tok_…', String(id));
  expect(await json(ofCreated(rotate), asToken)).toMatchObject({ status: 'active', created_by_token: id });
  expect(await json(ofCreated(revoke), asOwner)).toMatchObject({ id, status: 'revoked' });
});

it('the guides provision an application, and show what the first run prints', async () => {
  const { owner } = await platform.createTeam();
  const { secret } = await owner.call(createToken, { name: 'Provisioning', role: 'admin' });
  const provision = shellBlocks('guides/automate-with-api-tokens')[7] ?? '';
  const printed = await run(provision.replace('tg_admin_…', shownOnce(secret)), {
    TOLLGATE_ADMIN_URL: platform.adminUrl,
  });
  const shown = codeBlocksOf('guides/automate-with-api-tokens').find(({ language }) => language === 'text');
  expect(comparable(printed)).toBe(comparable(shown?.code ?? ''));
});

it('the guides start the login of a program and poll for its token', async () => {
  const [, , , , start = '', poll = ''] = shellBlocks('guides/automate-with-api-tokens');
  const env = { ADMIN_URL: platform.adminUrl };
  const { device_code } = await json(start, env);
  expect(await json(poll.replace('"…"', JSON.stringify(device_code)), env)).toMatchObject({
    status: 'authorization_pending',
  });
});

it('the guides store the public keys of the audit log, export a period, and verify it', async () => {
  const commands = shellBlocks('guides/audit-log')
    .join('\n')
    .replaceAll('audit-keys.json', join(folder, 'audit-keys.json'))
    .replaceAll('export.ndjson', join(folder, 'export.ndjson'))
    .replace('from=2026-01-01', `from=${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}`)
    .replace('to=2026-02-01', `to=${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}`);
  // A record is exported once a signed tree head covers it.
  let failure = '';
  const isVerified = () =>
    run(commands, { TOKEN: team.owner.session }).then(
      () => true,
      (error: Error) => {
        failure = error.message;
        return false;
      },
    );
  await eventually('an export that verifies', isVerified, WITHIN).catch((error: Error) => {
    throw new Error(`${error.message}\n${failure}`);
  });
});

it('the guides create a webhook endpoint without a browser, and print its secret', async () => {
  const [create = ''] = shellBlocks('guides/receive-webhooks');
  const printSecret = create.replace('node docs/guides/webhook-receiver.mjs', 'echo "$WEBHOOK_SECRET"');
  expect(await run(printSecret)).toMatch(/^whsec_/);
});
