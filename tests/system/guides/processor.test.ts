import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Payment } from '@tollgate/contracts/payments/payment';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import { type ChildServer, startChildServer } from '@tollgate/test-kit/child-server';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { codeBlocksOf } from '../../support/platform/code-blocks.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';

const GUIDE = codeBlocksOf('guides/write-a-processor-adapter');
const TEST_GUIDE = codeBlocksOf('guides/test-a-processor-adapter');

/** The first block that contains the text. */
const commandsWith = (blocks: typeof GUIDE, text: string) =>
  blocks.find(({ code }) => code.includes(text))?.code ?? '';

const folder = mkdtempSync(join(tmpdir(), 'processor-guide-'));
let platform: Platform;
let acme: ChildServer;
let adapter: ChildServer;
let api: ApiClient;
/** Runs commands of a guide at the processes of this test. Rejects if they fail. */
let run: (commands: string) => Promise<string>;

beforeAll(async () => {
  const [acmePort, port, webhookPort, callbackPort] = (await findFreePorts(4)) as [
    number,
    number,
    number,
    number,
  ];
  const here = (commands: string) =>
    commands
      .replaceAll('localhost:8100', `127.0.0.1:${port}`)
      .replaceAll('localhost:4100', `localhost:${acmePort}`)
      .replaceAll('http://localhost:8091', `http://127.0.0.1:${callbackPort}`)
      .replaceAll('CALLBACK_PORT=8091', `CALLBACK_PORT=${callbackPort}`)
      .replaceAll(/(\$PWD\/)?\.tollgate(?=\/(acme|processors))/g, folder);
  acme = await startExample(
    here(commandsWith(GUIDE, 'acme-pay.mjs')),
    `http://localhost:${acmePort}/pay/none`,
    {
      PORT: String(acmePort),
      WEBHOOK_URL: `http://127.0.0.1:${webhookPort}/webhooks`,
    },
  );
  adapter = await startExample(
    here(commandsWith(GUIDE, 'acme-adapter.ts')),
    `http://127.0.0.1:${port}/healthz`,
    {
      PORT: String(port),
      WEBHOOK_PORT: String(webhookPort),
    },
  );
  const [secrets = ''] = /^whsec_\S+$/m.exec(adapter.output()) ?? [];
  writeFileSync(join(folder, 'processors.yaml'), here(commandsWith(GUIDE, 'routes:')));
  const start = here(commandsWith(GUIDE, 'npm start')).replace('whsec_…', secrets);
  platform = await startPlatform({ topology: 'all-in-one', paymentsEnv: await variablesOf(start) });
  const application = await platform.createApplication();
  api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
  run = async (commands) => {
    const pasted = here(commands)
      .replaceAll('http://localhost:8081', platform.baseUrl.sandbox)
      .replace(/^KEY=.*\n/m, '')
      .replace(/^export TOLLGATE_SECRETS=.*\n/m, '');
    const { stdout } = await promisify(execFile)('sh', ['-euc', pasted], {
      cwd: CHECKOUT_DIR,
      env: {
        ...process.env,
        KEY: application.keys.sandbox,
        TOLLGATE_SECRETS: secrets,
        ACME_ADAPTER_SECRETS: secrets,
      },
    });
    return stdout;
  };
});
afterAll(async () => {
  await platform?.stop();
  await adapter?.stop();
  await acme?.stop();
  rmSync(folder, { recursive: true });
});

/** Starts an example with the commands of the guide. */
function startExample(
  commands: string,
  healthUrl: string,
  env: Record<string, string>,
): Promise<ChildServer> {
  // Replaces the shell, so that the signals of the test reach the example.
  const replacingShell = commands.replace(/(npx )?node (?=docs\/)/, `exec "${process.execPath}" `);
  return startChildServer({
    name: commands,
    command: 'sh',
    args: ['-euc', `cd "${CHECKOUT_DIR}"\n${replacingShell}`],
    env: { ...process.env, ...env },
    isReady: () =>
      fetch(healthUrl).then(
        () => true,
        () => false,
      ),
  });
}

/** The variables that the commands give to `npm start`. */
async function variablesOf(commands: string): Promise<Record<string, string>> {
  const names = [...commands.matchAll(/\b([A-Z_]+)=/g)].map(([, name = '']) => name);
  const print = commands.replace('npm start', `printenv ${names.join(' ')}`);
  const { stdout } = await promisify(execFile)('sh', ['-euc', print]);
  const values = stdout.trimEnd().split('\n');
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

async function paymentWhen(id: string, what: string, holds: (payment: Payment) => boolean): Promise<Payment> {
  let payment: Payment | undefined;
  await eventually(what, async () => {
    payment = (await api.read(id)).body;
    return holds(payment);
  });
  return payment as Payment;
}

async function aWaitingPayment(): Promise<{ id: string; pageUrl: string }> {
  const { body } = await api.create({ amount: 1250, currency: 'EUR' });
  const { next_action } = await paymentWhen(
    body.id,
    'Acme Pay has a page',
    (payment) => payment.next_action !== null,
  );
  return { id: body.id, pageUrl: next_action?.url ?? '' };
}

const isFinal = ({ status }: Payment) => status !== 'pending' && status !== 'processing';

it('a payment that the guide routes to Acme Pay succeeds when the payer pays', async () => {
  const { id, pageUrl } = await aWaitingPayment();
  await fetch(`${pageUrl}/approve`, { method: 'POST' });
  const payment = await paymentWhen(id, 'it is final', isFinal);
  expect(payment).toMatchObject({ status: 'succeeded', processor: 'acme', next_action: null });
  expect(pageUrl).toContain(payment.processor_reference);
});

it('a payment that the guide routes to Acme Pay fails when the payer declines', async () => {
  const { id, pageUrl } = await aWaitingPayment();
  await fetch(`${pageUrl}/decline`, { method: 'POST' });
  const payment = await paymentWhen(id, 'it is final', isFinal);
  expect(payment).toMatchObject({ status: 'failed', failure: { code: 'declined' } });
});

it('a payment that the guide routes to Acme Pay fails when Acme Pay does not accept it', async () => {
  const { body } = await api.create({ amount: 1250, currency: 'USD' });
  const payment = await paymentWhen(body.id, 'it is final', isFinal);
  expect(payment).toMatchObject({ status: 'failed', failure: { code: 'currency_not_supported' } });
});

it('a payment that the guide routes to Acme Pay cannot be paid any more after a cancellation', async () => {
  const { id, pageUrl } = await aWaitingPayment();
  expect(await api.cancel(id)).toMatchObject({ status: 200, body: { status: 'canceled' } });
  await fetch(`${pageUrl}/approve`, { method: 'POST' });
  expect(await (await fetch(pageUrl)).text()).toContain('canceled');
  expect(await api.read(id)).toMatchObject({ body: { status: 'canceled' } });
});

it('a payment that the guide routes to Acme Pay reports the outcome when Acme Pay is faster than the cancellation', async () => {
  const { id, pageUrl } = await aWaitingPayment();
  const [, { body }] = await Promise.all([fetch(`${pageUrl}/approve`, { method: 'POST' }), api.cancel(id)]);
  const { status } = await paymentWhen(id, 'it is final', isFinal);
  const page = await (await fetch(pageUrl)).text();
  expect(page).toContain(status === 'succeeded' ? 'paid' : 'canceled');
  if (body.status === 'canceled') expect(status).toBe('canceled');
});

it('the commands of the guides create a payment at Acme Pay, and read it', async () => {
  const created = JSON.parse(await run(commandsWith(GUIDE, '-d ')));
  expect(created).toMatchObject({ amount: 1250, processor: 'acme' });
  const read = await run(commandsWith(GUIDE, '/pay_…').replace('pay_…', created.id));
  expect(JSON.parse(read)).toMatchObject({ id: created.id });
});

it.each([
  ['write', GUIDE],
  ['test', TEST_GUIDE],
])(
  'the commands of the guides check the adapter, which conforms, as the guide to %s an adapter says',
  async (_, blocks) => {
    expect(await run(commandsWith(blocks, 'processor test'))).toMatch(/passed +starts a payment once/);
  },
);

it('the commands of the guides have options that the suite accepts, and a file of scenarios that it reads', async () => {
  const scenarios = join(folder, 'acme.json');
  writeFileSync(scenarios, commandsWith(TEST_GUIDE, '"action_required"'));
  for (const option of ['--payment-method', '--scenarios', '--processor']) {
    const commands = commandsWith(TEST_GUIDE, option)
      .replace(/^(TOLLGATE_CALLBACK|ACME)_URL=.*\n/m, '')
      .replace('acme.json', scenarios)
      // Nothing listens there, which the suite finds out after it has read its options.
      .replace('http://localhost:8100', 'http://127.0.0.1:9');
    await expect(run(commands)).rejects.toThrow(/The adapter at .* is unreachable/);
  }
});
