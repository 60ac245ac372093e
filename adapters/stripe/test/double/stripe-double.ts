import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseForm } from './form.ts';
import { type Intent, type Session, StripeAccount } from './stripe-account.ts';
import { invalid, StripeProblem } from './stripe-problem.ts';

/** What happens to the next request whose method and path match. */
interface Fault {
  at: RegExp;
  /** Only requests with this body, and all of them. */
  body?: RegExp;
  /** Runs when the request was received, before it is carried out. */
  before?: () => unknown;
  /**
   * `lost-request`: not carried out, and no response. `lost-response`: carried out, and no response. `garbage`: carried out, and another
   * response. `stored-500`: carried out, fails at the end, and the response is stored. A status: not carried out.
   */
  kind?: 'lost-request' | 'lost-response' | 'garbage' | 'stored-500' | 401 | 403 | 409 | 429 | 500 | 503;
}

interface Result {
  status: number;
  body: unknown;
}

interface StoredResult {
  request: string;
  atMs: number;
  /** Null while the first request is executed. */
  result: Result | null;
}

const SECRET_KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
const WEBHOOK_SECRET = 'whsec_test4eC39HqLyjWDarjtT1zdp7dc';
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** A server that follows Stripe's API reference (https://docs.stripe.com/api), on a free port of localhost. */
export async function startStripeDouble(clock: { now(): number }) {
  const account = new StripeAccount(clock);
  const requests: { line: string; body: string; headers: IncomingMessage['headers'] }[] = [];
  const faults: Fault[] = [];
  const stored = new Map<string, StoredResult>();
  /** Where events about the acts of the payer are sent. */
  const payer = { webhooksUrl: '' };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => void response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith('/payer/')) return act(request.url, response);
    const body = (await request.toArray()).join('');
    const line = `${request.method} ${request.url}`;
    requests.push({ line, body, headers: request.headers });
    const fault = faults.find(({ at, body: content }) => at.test(line) && (content?.test(body) ?? true));
    if (fault && !fault.body) faults.splice(faults.indexOf(fault), 1);
    await fault?.before?.();
    if (fault?.kind === 'lost-request') return void response.destroy();
    const key = request.headers['idempotency-key'] as string | undefined;
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'request-id': `req_${requests.length}`,
      'stripe-version': String(request.headers['stripe-version']),
      ...(key && { 'idempotency-key': key }),
    };
    const { status, body: content } = await resultOf(request, body, fault, headers);
    if (fault?.kind === 'lost-response') return void response.destroy();
    if (status >= 400 && status !== 409) headers['stripe-should-retry'] = 'false';
    response.writeHead(status, headers);
    response.end(fault?.kind === 'garbage' ? '{"object":"balance"}' : JSON.stringify(content));
  }

  /**
   * `/payer/{session or intent}/{pay|decline}` stands for what the payer does on Stripe's page, and `refund` for what the payee does
   * in the Dashboard. Stripe then sends an event.
   */
  async function act(path: string, response: ServerResponse): Promise<void> {
    const [, , id = '', action] = path.split('/');
    if (action === 'refund') {
      const intentId = id.startsWith('cs_') ? (account.session(id).payment_intent as string) : id;
      const refund = account.refund(intentId, account.intent(intentId).amount);
      response.end();
      await sendWebhook('refund.created', refund, payer.webhooksUrl);
      return;
    }
    if (id.startsWith('cs_') && account.session(id).status === 'open') {
      account.pay(id, action === 'pay' ? 'succeeds' : 'declined');
    }
    if (id.startsWith('pi_') && account.intent(id).status === 'requires_action') {
      account.finish(id, action === 'pay' ? 'succeeds' : { code: 'payment_intent_authentication_failure' });
    }
    const object = id.startsWith('cs_') ? account.session(id) : account.intent(id);
    response.end();
    if (payer.webhooksUrl) await sendWebhook('an.event', object, payer.webhooksUrl);
  }

  async function resultOf(
    request: IncomingMessage,
    body: string,
    fault: Fault | undefined,
    headers: Record<string, string>,
  ): Promise<Result> {
    const respond = (problem: StripeProblem): Result => {
      const request_log_url = `https://dashboard.stripe.com/test/logs/${headers['request-id']}`;
      return { status: problem.status, body: { error: { ...problem.error, request_log_url } } };
    };
    if (typeof fault?.kind === 'number') return respond(problemWith(fault.kind));
    if (request.headers.authorization !== `Bearer ${SECRET_KEY}`) return respond(problemWith(401));
    const run = () => route(request, body, fault);
    const key = request.headers['idempotency-key'] as string | undefined;
    if (request.method !== 'POST' || !key) return attempt(run).result;

    // https://docs.stripe.com/api/idempotent_requests
    const fingerprint = createHash('sha256').update(`${request.url}\n${body}`).digest('hex');
    const known = stored.get(key);
    if (known && clock.now() - known.atMs < KEY_LIFETIME_MS) {
      if (known.request !== fingerprint) return respond(mismatch(key));
      if (known.result === null) return respond(problemWith(409));
      headers['idempotent-replayed'] = 'true';
      return known.result;
    }
    const entry: StoredResult = { request: fingerprint, atMs: clock.now(), result: null };
    stored.set(key, entry);
    const { result, isExecuted } = attempt(run);
    if (isExecuted) entry.result = structuredClone(result);
    else stored.delete(key);
    return result;

    function attempt(job: () => unknown): { result: Result; isExecuted: boolean } {
      try {
        return { result: { status: 200, body: structuredClone(job()) }, isExecuted: true };
      } catch (error) {
        if (!(error instanceof StripeProblem)) throw error;
        return { result: respond(error), isExecuted: error.isExecuted };
      }
    }
  }

  function route(request: IncomingMessage, body: string, fault: Fault | undefined): unknown {
    const address = new URL(request.url as string, url);
    const form = parseForm(body);
    const path = address.pathname.replace(/^\/v1\//, '');
    const [, id = ''] = /(?:sessions|payment_intents|charges)\/([^/]+)/.exec(path) ?? [];
    const result = (() => {
      switch (`${request.method} ${path.replace(/\/(?:pi|cs|ch)_\w+/, '/{id}')}`) {
        case 'POST payment_intents':
          return account.createIntent(form);
        case 'POST payment_intents/{id}/confirm':
          return account.confirmIntent(id, form);
        case 'POST payment_intents/{id}/cancel':
          return account.cancelIntent(id, form);
        case 'GET payment_intents/{id}':
          return account.intent(id);
        case 'GET payment_intents/search':
          return account.searchIntents(address);
        case 'POST checkout/sessions':
          return account.createSession(form);
        case 'POST checkout/sessions/{id}/expire':
          return account.expireSession(id);
        case 'GET charges/{id}':
          return account.charge(id);
        case 'GET disputes':
          return account.listDisputes(address.searchParams.get('charge'));
        case 'GET checkout/sessions/{id}':
          return expanded(account.session(id), address);
        default:
          throw invalid(`Unrecognized request URL (${request.method}: ${address.pathname}).`, {}, 404);
      }
    })();
    if (fault?.kind === 'stored-500')
      throw new StripeProblem(500, { type: 'api_error', message: 'An error occurred' }, true);
    return result;
  }

  /** `expand[0]=payment_intent`: https://docs.stripe.com/api/expanding_objects */
  function expanded(session: Session, address: URL): object {
    const isExpanded = [...address.searchParams].some(
      ([name, value]) => /^expand/.test(name) && value === 'payment_intent',
    );
    const intent = session.payment_intent;
    return isExpanded && intent ? { ...session, payment_intent: account.intent(intent) } : session;
  }

  /** Signs an event and sends it to `/webhooks`: https://docs.stripe.com/webhooks#verify-manually. Returns the status. */
  async function sendWebhook(
    type: string,
    object: Intent | Session | object,
    origin: string,
    changes = {},
  ): Promise<number> {
    const { body, headers } = webhook(type, object, changes);
    return (await fetch(`${origin}/webhooks`, { method: 'POST', body, headers })).status;
  }

  function webhook(type: string, object: object, changes: object = {}, secret = WEBHOOK_SECRET) {
    const created = Math.floor(clock.now() / 1000);
    const event = {
      id: 'evt_1',
      object: 'event',
      type,
      created,
      livemode: false,
      data: { object },
      ...changes,
    };
    const body = JSON.stringify(event, null, 2);
    const signature = createHmac('sha256', secret).update(`${created}.${body}`).digest('hex');
    return { body, headers: { 'stripe-signature': `t=${created},v1=${signature},v0=00` } };
  }

  return {
    account,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    url,
    requests,
    faults,
    payer,
    webhook,
    sendWebhook,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function mismatch(key: string): StripeProblem {
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}'.`;
  return new StripeProblem(400, { type: 'idempotency_error', message });
}

function problemWith(status: number): StripeProblem {
  switch (status) {
    case 401:
      return invalid('Invalid API Key provided: sk_test_********************p7dc', {}, 401);
    case 403:
      return invalid('The provided key does not have the required permissions for this endpoint.', {}, 403);
    case 409:
      return new StripeProblem(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: 'There is another request in progress.',
      });
    case 429:
      return invalid('Request rate limit exceeded.', { code: 'rate_limit' }, 429);
    default:
      return new StripeProblem(status, { type: 'api_error', message: 'An unknown error occurred' });
  }
}
