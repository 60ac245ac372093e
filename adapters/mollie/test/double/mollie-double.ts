import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MollieAccount, responseOf } from './mollie-account.ts';
import { MollieProblem, type MollieResponse } from './mollie-problem.ts';

/** What happens to the next request with this method. */
interface Fault {
  method: 'GET' | 'POST' | 'DELETE';
  /** Runs when the request was received, before it is carried out. */
  before?: () => unknown;
  /**
   * `lost-request`: not carried out, and no response. `lost-response`: carried out, and no response. `garbage` and `proxy-error`:
   * carried out, and another response. A status: not carried out.
   */
  kind?:
    | 'lost-request'
    | 'lost-response'
    | 'garbage'
    | 'proxy-error'
    | 401
    | 403
    | 409
    | 410
    | 429
    | 500
    | 503;
  headers?: Record<string, string>;
  /** Happens to every request whose body matches, not only to the next one. */
  always?: RegExp;
}

const API_KEY = 'test_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM';

/** A server that follows Mollie's API reference (https://docs.mollie.com/reference/payments-api), on a free port of localhost. */
export async function startMollieDouble(clock: { now(): number }) {
  const account = new MollieAccount(clock);
  const requests: { method: string; path: string }[] = [];
  const faults: Fault[] = [];
  /** Where webhooks go that the payer causes. */
  const payer = { webhooksUrl: '' };
  const served = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const done = serve(request, response).catch((error: unknown) => void response.destroy(error as Error));
    served.add(done);
    void done.then(() => served.delete(done));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    requests.push({ method: request.method as string, path: request.url as string });
    const fault = takeFault(request.method as string, body);
    await fault?.before?.();
    if (fault?.kind === 'lost-request') return void response.destroy();
    const { status, body: content, headers } = await resultOf(request, body, fault).catch(responseOf);
    if (fault?.kind === 'lost-response') return void response.destroy();
    if (fault?.kind === 'proxy-error') return void response.writeHead(422).end('<h1>Unprocessable</h1>');
    response.writeHead(status, { 'content-type': 'application/hal+json', ...headers, ...fault?.headers });
    response.end(fault?.kind === 'garbage' ? '{"resource":"payment","id":7}' : JSON.stringify(content));
  }

  function takeFault(method: string, body: string): Fault | undefined {
    const permanent = faults.find((fault) => fault.method === method && fault.always?.test(body));
    if (permanent) return permanent;
    const index = faults.findIndex((fault) => fault.method === method && !fault.always);
    return index === -1 ? undefined : faults.splice(index, 1)[0];
  }

  async function resultOf(
    request: IncomingMessage,
    body: string,
    fault: Fault | undefined,
  ): Promise<MollieResponse> {
    const [, payer, paidId, action] = (request.url as string).split('/');
    if (payer === 'payer') return actAsPayer(paidId as string, action as string);
    if (typeof fault?.kind === 'number')
      throw new MollieProblem(fault.kind, 'The test asked for this response');
    if (request.headers.authorization !== `Bearer ${API_KEY}`) {
      throw new MollieProblem(401, 'Missing authentication, or failed to authenticate');
    }
    const address = new URL(request.url as string, origin);
    const [version, resource, id, child] = address.pathname.split('/').slice(1);
    const route = `${request.method} ${version}/${resource}${id ? '/{id}' : ''}${child ? `/${child}` : ''}`;
    switch (route) {
      case 'POST v2/payments':
        return account.createOnce(body, request.headers['idempotency-key'] as string | undefined);
      case 'GET v2/payments':
        return account.list(address);
      case 'GET v2/customers/{id}/payments':
        return account.list(address, id);
      case 'GET v2/payments/{id}':
        return account.get(id as string);
      case 'DELETE v2/payments/{id}':
        return account.cancel(id as string);
      default:
        throw new MollieProblem(404, 'No route matches the request');
    }
  }

  /** What the payer does on the checkout page, or the payee afterwards, for tests that know only the address. */
  async function actAsPayer(id: string, action: string): Promise<MollieResponse> {
    if (action === 'refund') account.refund(id);
    else account.settle(id, action === 'pay' ? 'paid' : 'failed');
    await sendWebhook(id, payer.webhooksUrl);
    return { status: 200, body: {} };
  }

  /**
   * Calls the webhook of a payment: https://docs.mollie.com/reference/webhooks. `origin` takes the place of the public address.
   * Returns whether Mollie would repeat it.
   */
  async function sendWebhook(id: string, origin: string): Promise<boolean> {
    const { webhookUrl } = account.payments.find((payment) => payment.id === id)?.request ?? {};
    if (webhookUrl === undefined) throw new Error(`${id} has no webhook`);
    const url = new URL(new URL(webhookUrl).pathname, origin);
    const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ id }) });
    await response.text();
    return response.status !== 200;
  }

  return {
    account,
    apiKey: API_KEY,
    url: `${origin}/v2/`,
    requests,
    faults,
    payer,
    payerUrl: `${origin}/payer`,
    sendWebhook,
    /** Resolves when every request that was received is carried out, also those whose client disconnected. */
    async idle(): Promise<void> {
      await Promise.all(served);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
export type MollieDouble = Awaited<ReturnType<typeof startMollieDouble>>;
