import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { type ChildServer, startChildServer } from '@tollgate/test-kit/child-server';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSecret, parseSecrets } from '../src/contract/signature.ts';
import { aPayment, createCaller, send, startCallbackReceiver } from './support/tollgate.ts';

const EXAMPLES = new URL('../../../docs/examples/', import.meta.url);
const GUIDE = readFileSync(
  new URL('../../../docs/guides/write-a-processor-adapter.md', import.meta.url),
  'utf8',
);
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const ADAPTER = fileURLToPath(new URL('acme-adapter.ts', EXAMPLES));

const ACME_ENV = { ACME_API_KEY: 'key', ACME_WEBHOOK_SECRET: 'secret' };

describe('the adapter of the guide', () => {
  const secret = newSecret();
  const folder = mkdtempSync(join(tmpdir(), 'acme-'));
  let receiver: Awaited<ReturnType<typeof startCallbackReceiver>>;
  let acme: ChildServer;
  let adapter: ChildServer;
  let env: Record<string, string>;
  let url: string;
  const tollgate = createCaller(() => url, parseSecrets(secret), Date.now);

  const isOk = (address: string) =>
    fetch(address).then(
      ({ status }) => status < 500,
      () => false,
    );

  async function startAdapter(): Promise<ChildServer> {
    return startChildServer({
      name: 'adapter',
      command: process.execPath,
      args: [ADAPTER],
      env: { ...process.env, ...env },
      isReady: () => isOk(`${url}/healthz`),
    });
  }

  beforeAll(async () => {
    receiver = await startCallbackReceiver();
    const [acmePort, port, webhookPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
    url = `http://127.0.0.1:${port}`;
    env = {
      ...ACME_ENV,
      ACME_URL: `http://localhost:${acmePort}`,
      TOLLGATE_SECRETS: secret,
      TOLLGATE_CALLBACK_URL: receiver.url,
      DATA_FILE: join(folder, 'acme.sqlite'),
      PORT: String(port),
      WEBHOOK_PORT: String(webhookPort),
    };
    acme = await startChildServer({
      name: 'Acme Pay',
      command: process.execPath,
      args: [fileURLToPath(new URL('acme-pay.mjs', EXAMPLES))],
      env: {
        ...process.env,
        ...ACME_ENV,
        PORT: String(acmePort),
        WEBHOOK_URL: `http://127.0.0.1:${webhookPort}/webhooks`,
      },
      isReady: () => isOk(`http://localhost:${acmePort}/pay/none`),
    });
    adapter = await startAdapter();
  });
  afterAll(async () => {
    await adapter?.stop();
    await acme?.stop();
    await receiver?.stop();
    rmSync(folder, { recursive: true });
  });

  async function aWaitingPayment() {
    const payment = aPayment();
    const { status, body } = await tollgate.start(payment);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'action_required' } });
    const pageUrl = (body['next_action'] as { url: string }).url;
    return { payment, reference: body['reference'], pageUrl };
  }

  async function callbackOf(paymentId: string) {
    const find = () => receiver.received.find(({ body }) => body['payment_id'] === paymentId)?.body;
    await eventually('the callback arrives', () => find() !== undefined);
    return find();
  }

  it('starts a payment, and reports that it was paid', async () => {
    const { payment, reference, pageUrl } = await aWaitingPayment();
    expect((await send(pageUrl)).text).toContain('1250 EUR');
    await send(`${pageUrl}/approve`, { method: 'POST' });
    const succeeded = { status: 'succeeded', reference };
    expect(await callbackOf(payment.id)).toEqual({ payment_id: payment.id, ...succeeded });
    expect((await tollgate.status(payment.id)).body).toEqual(succeeded);
    expect((await tollgate.cancel(payment.id)).body).toEqual(succeeded);
  });

  it('reports that the payer declined', async () => {
    const { payment, pageUrl } = await aWaitingPayment();
    await send(`${pageUrl}/decline`, { method: 'POST' });
    expect(await callbackOf(payment.id)).toMatchObject({ status: 'failed', failure: { code: 'declined' } });
  });

  it('cancels a payment, so that it cannot be paid any more', async () => {
    const { payment, pageUrl } = await aWaitingPayment();
    expect(await tollgate.cancel(payment.id)).toMatchObject({ status: 200, body: { status: 'canceled' } });
    await send(`${pageUrl}/approve`, { method: 'POST' });
    expect((await send(pageUrl)).text).toContain('canceled');
    expect((await tollgate.status(payment.id)).body).toMatchObject({ status: 'canceled' });
  });

  it('rejects what Acme Pay does not accept', async () => {
    expect(await tollgate.start(aPayment({ currency: 'USD' }))).toMatchObject({
      status: 422,
      body: { failure: { code: 'currency_not_supported' } },
    });
  });

  it('rejects a webhook that Acme Pay did not sign', async () => {
    const { reference } = await aWaitingPayment();
    const webhooks = `http://127.0.0.1:${env['WEBHOOK_PORT']}/webhooks`;
    const body = JSON.stringify({ checkout: reference });
    for (const headers of [{}, { 'acme-signature': '00'.repeat(32) }] as Record<string, string>[]) {
      expect(await send(webhooks, { method: 'POST', body, headers })).toMatchObject({ status: 401 });
    }
  });

  it('continues after it was killed, and finds a payment that was paid in the meantime', async () => {
    const { payment, reference, pageUrl } = await aWaitingPayment();
    await adapter.kill();
    await send(`${pageUrl}/approve`, { method: 'POST' });
    adapter = await startAdapter();
    expect((await tollgate.start(payment)).body).toEqual({ status: 'succeeded', reference });
  });

  it('names every missing variable at once, and shows no secret', async () => {
    const isReady = () => Promise.resolve(false);
    const bare = { PATH: process.env['PATH'] ?? '', TOLLGATE_SECRETS: 'hunter2' };
    const start = startChildServer({
      name: 'adapter',
      command: process.execPath,
      args: [ADAPTER],
      env: bare,
      isReady,
    });
    const error = await start.catch((reason: Error) => reason.message);
    for (const name of ['TOLLGATE_SECRETS', 'TOLLGATE_CALLBACK_URL', 'DATA_FILE', 'ACME_URL', 'ACME_API_KEY'])
      expect(error).toContain(`- ${name} `);
    expect(error).not.toContain('hunter2');
  });
});

describe('the guide', () => {
  it('shows the example as it is', () => {
    const shown = /```ts\n(import[\s\S]+?)```/.exec(GUIDE)?.[1];
    expect(shown).toBe(readFileSync(ADAPTER, 'utf8'));
  });

  it.each([
    'HOST',
    'PORT',
    'WEBHOOK_PORT',
    'TOLLGATE_SECRETS',
    'TOLLGATE_CALLBACK_URL',
    'DATA_FILE',
    'LOG_LEVEL',
  ])('and the README describe %s', (name) => {
    expect(README).toContain(`| \`${name}\` |`);
  });
});
