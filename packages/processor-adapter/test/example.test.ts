import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { type ChildServer, startChildServer } from '@tollgate/test-kit/child-server';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSecret, parseSecrets } from '../src/contract/signature.ts';
import { aPayment, createCaller, MONEY, send, startCallbackReceiver } from './support/tollgate.ts';

const EXAMPLES = new URL('../../../docs/examples/', import.meta.url);
const ADAPTER = fileURLToPath(new URL('acme-adapter.ts', EXAMPLES));

const ACME_ENV = { ACME_API_KEY: 'key', ACME_WEBHOOK_SECRET: 'secret' };

describe('the adapter of the guide', () => {
  const secret = newSecret();
  const folder = mkdtempSync(join(tmpdir(), 'acme-'));
  let receiver: Awaited<ReturnType<typeof startCallbackReceiver>>;
  let acme: ChildServer;
  /** Between the adapter and Acme Pay. While it is holding, requests take effect and their responses are lost. */
  let network: Server;
  let isHolding = false;
  const held = Promise.withResolvers<void>();
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
    network = createServer(async (request, response) => {
      const body = (await request.toArray()).join('');
      const { method = '', headers } = request;
      const { authorization = '' } = headers;
      const reply = await send(`http://localhost:${acmePort}${request.url}`, {
        method,
        headers: { authorization },
        ...(body && { body }),
      });
      if (!isHolding) return response.writeHead(reply.status).end(reply.text);
      held.resolve();
    });
    const networkPort = await findFreePort();
    network.listen(networkPort, '127.0.0.1');
    env = {
      ...ACME_ENV,
      ACME_URL: `http://127.0.0.1:${networkPort}`,
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
    network?.close();
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

  it('the adapter of the guide starts a payment, and reports that it was paid', async () => {
    const { payment, reference, pageUrl } = await aWaitingPayment();
    expect((await send(pageUrl)).text).toContain('1250 EUR');
    await send(`${pageUrl}/approve`, { method: 'POST' });
    const succeeded = { status: 'succeeded', reference, ...MONEY };
    expect(await callbackOf(payment.id)).toEqual({ payment_id: payment.id, ...succeeded });
    expect((await tollgate.status(payment.id)).body).toEqual(succeeded);
    expect((await tollgate.cancel(payment.id)).body).toEqual(succeeded);
  });

  it('the adapter of the guide reports that the payer declined', async () => {
    const { payment, pageUrl } = await aWaitingPayment();
    await send(`${pageUrl}/decline`, { method: 'POST' });
    expect(await callbackOf(payment.id)).toMatchObject({ status: 'failed', failure: { code: 'declined' } });
  });

  it('the adapter of the guide cancels a payment, so that it cannot be paid any more', async () => {
    const { payment, pageUrl } = await aWaitingPayment();
    expect(await tollgate.cancel(payment.id)).toMatchObject({ status: 200, body: { status: 'canceled' } });
    await send(`${pageUrl}/approve`, { method: 'POST' });
    expect((await send(pageUrl)).text).toContain('canceled');
    expect((await tollgate.status(payment.id)).body).toMatchObject({ status: 'canceled' });
  });

  it('the adapter of the guide rejects what Acme Pay does not accept', async () => {
    expect(await tollgate.start(aPayment({ currency: 'USD' }))).toMatchObject({
      status: 422,
      body: { failure: { code: 'currency_not_supported' } },
    });
  });

  it('the adapter of the guide rejects a webhook that Acme Pay did not sign', async () => {
    const { reference } = await aWaitingPayment();
    const webhooks = `http://127.0.0.1:${env['WEBHOOK_PORT']}/webhooks`;
    const body = JSON.stringify({ checkout: reference });
    for (const headers of [{}, { 'acme-signature': '00'.repeat(32) }] as Record<string, string>[]) {
      expect(await send(webhooks, { method: 'POST', body, headers })).toMatchObject({ status: 401 });
    }
  });

  it('the adapter of the guide loses nothing when it is killed: a payment that is paid in the meantime, a start without a response, and a callback that was not accepted', async () => {
    const paidMeanwhile = await aWaitingPayment();
    const paid = await aWaitingPayment();
    receiver.status = 503;
    await send(`${paid.pageUrl}/approve`, { method: 'POST' });
    await callbackOf(paid.payment.id);
    const interrupted = aPayment();
    isHolding = true;
    const lost = tollgate.start(interrupted).catch(() => 'lost');
    await held.promise;
    await adapter.kill();
    expect(await lost).toBe('lost');
    isHolding = false;
    await send(`${paidMeanwhile.pageUrl}/approve`, { method: 'POST' });
    const before = receiver.received.length;
    receiver.status = 204;
    adapter = await startAdapter();

    const { reference } = paidMeanwhile;
    expect((await tollgate.start(paidMeanwhile.payment)).body).toEqual({
      status: 'succeeded',
      reference,
      ...MONEY,
    });

    expect(await tollgate.start(interrupted)).toMatchObject({
      status: 200,
      body: { status: 'action_required' },
    });
    const orders = (await send(`${env['ACME_URL']}/checkouts`, { headers: { authorization: 'Bearer key' } }))
      .text;
    expect(orders.split(interrupted.id)).toHaveLength(2);

    const attempts = (from = 0) =>
      receiver.received.slice(from).filter(({ body }) => body['payment_id'] === paid.payment.id);
    await eventually('the callback is repeated', () => attempts(before).length > 0);
    expect(new Set(attempts().map(({ id }) => id)).size).toBe(1);
  });

  it('the adapter of the guide keeps its data file from other users of the machine', () => {
    expect(statSync(env['DATA_FILE'] ?? '').mode & 0o077).toBe(0);
  });

  it('the adapter of the guide names every missing variable at once, and shows no secret', async () => {
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
      expect(error).toContain(` ${name} `);
    expect(error).not.toContain('hunter2');
  });
});
