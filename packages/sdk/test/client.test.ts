import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../src/clock.ts';
import { type AttemptInfo, ConnectionError, InvalidArgumentError, TollgateError } from '../src/index.ts';
import { Tollgate, type TollgateOptions } from '../src/tollgate.ts';
import { API_KEY } from './cases/case-file.ts';
import { virtualClock } from './cases/virtual-clock.ts';

const BASE_URL = 'https://pay.example.com';
const PAYMENT = { id: 'pay_1', object: 'payment' };
const PARAMS = { amount: 1, currency: 'EUR' };

function client(options: Partial<TollgateOptions> = {}, clock = virtualClock()) {
  return new Tollgate({ apiKey: API_KEY, baseUrl: BASE_URL, ...options }, clock);
}

const unavailable = async () => new Response(null, { status: 503 });

it.each([
  ['tg_sandbox_CaseCase_0', 'sandbox'],
  ['tg_live_CaseCase_0', 'live'],
])('a client reads the environment from the key %s', (apiKey, environment) => {
  expect(client({ apiKey }).environment).toBe(environment);
});

it.each([
  '',
  'tg_admin_CaseCase_0',
  'sk_live_0',
  'tg_live_',
  'tg_live_0\r\nx: y',
  ' tg_live_0',
  'tg_live_0 ',
])('a client rejects %j as a key without showing it', (apiKey) => {
  const create = () => client({ apiKey });
  expect(create).toThrow(expect.objectContaining({ name: 'InvalidArgumentError', code: 'invalid-api-key' }));
  if (apiKey.length > 8) expect(create).not.toThrow(apiKey);
});

it.each([
  '',
  'pay.example.com',
  'ftp://pay.example.com',
  'https://a:b@pay.example.com',
  `${BASE_URL}?a`,
  `${BASE_URL}#a`,
])('a client rejects %j as a base URL', (baseUrl) => {
  expect(() => client({ baseUrl })).toThrow(InvalidArgumentError);
});

it.each([BASE_URL, `${BASE_URL}/`, `${BASE_URL}/tollgate//`])(
  'a client appends paths to %s',
  async (baseUrl) => {
    const urls: unknown[] = [];
    const fetch = async (url: unknown) => {
      urls.push(url);
      return Response.json(PAYMENT);
    };
    await client({ baseUrl, fetch: fetch as typeof globalThis.fetch }).payments.retrieve('pay_1');
    expect(urls).toEqual([`${baseUrl.replace(/\/+$/, '')}/v1/payments/pay_1`]);
  },
);

it('a client shows its key in no form', () => {
  const tollgate = client();
  const forms = [
    String(tollgate),
    JSON.stringify(tollgate),
    inspect(tollgate, { depth: 9, showHidden: true, getters: true }),
    inspect(tollgate.payments, { depth: 9, showHidden: true, getters: true }),
    JSON.stringify(Object.entries(tollgate)),
  ];
  expect(forms.join()).toContain('sandbox');
  expect(forms.join()).not.toContain(API_KEY);
});

it('a client removes its key from the error of a fetch that shows its arguments', async () => {
  const fetch = async (_url: unknown, init?: RequestInit) => {
    throw Object.assign(new Error(`failed with ${JSON.stringify(init)}`), { init });
  };
  const error = await client({ fetch, maxRetries: 0 })
    .payments.retrieve('pay_1')
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(inspect(error, { depth: 9, showHidden: true })).toContain('Bearer [API key]');
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(API_KEY);
});

it('a client names the reason and the address when nothing listens', async () => {
  const baseUrl = await closedAddress();
  const call = client({ baseUrl, maxRetries: 0 }).payments.retrieve('pay_1');
  await expect(call).rejects.toThrow(`The connection to ${baseUrl} failed: ECONNREFUSED`);
});

/** An address where a server was, and nothing is. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

describe('the fetch of a client', () => {
  const json = JSON.stringify(PAYMENT);
  const headers = new Headers({ 'content-type': 'application/json' });

  /** Creates a payment through this fetch, and counts its calls. */
  async function create(fetch: (url: unknown, init: RequestInit) => unknown) {
    let attempts = 0;
    const counting = async (url: unknown, init: RequestInit = {}) => {
      attempts += 1;
      return fetch(url, init);
    };
    const outcome = await client({ fetch: counting as typeof globalThis.fetch })
      .payments.create(PARAMS, { idempotencyKey: 'order-1' })
      .catch((error: unknown) => error);
    return { attempts, outcome };
  }

  it('the fetch of a client gets every option that a framework replaces, and the signal', async () => {
    const seen: RequestInit[] = [];
    const fetch = async (_url: unknown, init: RequestInit = {}) => {
      seen.push(init);
      return Response.json(PAYMENT);
    };
    const { payments } = client({ fetch });
    await payments.create(PARAMS);
    await payments.retrieve('pay_1');
    await payments.cancel('pay_1');
    const options = { cache: 'no-store', redirect: 'manual', signal: expect.any(AbortSignal) };
    expect(seen).toEqual(
      ['POST', 'GET', 'POST'].map((method) => expect.objectContaining({ ...options, method })),
    );
  });

  it.each([
    ['a stream of Node as its body', { body: { on() {}, pipe() {} } }],
    ['no body', {}],
    ['no body and other headers', { headers: { get: (name: string) => headers.get(name) ?? undefined } }],
  ])('the fetch of a client may return a response with %s', async (_form, form) => {
    const response = { status: 200, headers, text: async () => json, ...form };
    expect(await create(() => response)).toEqual({ attempts: 1, outcome: PAYMENT });
  });

  it.each([
    ['announces', new Headers({ 'content-type': 'application/json', 'content-length': '2000000' }), json],
    ['has', headers, json.padEnd(2_000_000)],
  ])(
    'the fetch of a client may return a response without a stream that %s too many bytes',
    async (_verb, all, text) => {
      const { attempts, outcome } = await create(() => ({
        status: 200,
        headers: all,
        text: async () => text,
      }));
      expect({ attempts, outcome }).toMatchObject({
        attempts: 1,
        outcome: { name: 'UnexpectedResponseError' },
      });
    },
  );

  it.each<[string, () => unknown]>([
    ['nothing', () => undefined],
    ['JSON', () => PAYMENT],
    ['a response without headers', () => ({ ok: true, status: 200, json: async () => PAYMENT })],
    ['a response that was read', () => readBefore(Response.json(PAYMENT))],
    ['a response with a locked body', () => lock(Response.json(PAYMENT))],
  ])(
    'the fetch of a client fails at once, with the key of the call, when it returns %s',
    async (_what, fetch) => {
      const { attempts, outcome } = await create(fetch);
      expect(attempts).toBe(1);
      expect(outcome).toMatchObject({ name: 'UnexpectedResponseError', idempotencyKey: 'order-1' });
    },
  );

  it.each<[string, () => unknown]>([
    ['reads a member of undefined', () => (undefined as unknown as Response).status],
    ['calls what is no function', () => (({}) as never as () => void)()],
    ['names what is not defined', () => Promise.reject(new ReferenceError('proxy is not defined'))],
    ['lacks its receiver', () => Promise.reject(new TypeError('Illegal invocation'))],
    [
      'ends a static rendering',
      () => Promise.reject(Object.assign(new Error('no-store'), { digest: 'DYNAMIC' })),
    ],
  ])('the fetch of a client is not repeated when it %s', async (_what, fetch) => {
    const { attempts, outcome } = await create(fetch);
    expect(attempts).toBe(1);
    expect(outcome).toBeInstanceOf(Error);
    expect(outcome).not.toBeInstanceOf(TollgateError);
  });

  it.each([
    new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }),
    new TypeError('terminated'),
    new TypeError('Failed to fetch'),
    new TypeError('NetworkError when attempting to fetch resource.'),
    new TypeError('Load failed'),
    new TypeError('Network request failed'),
    new TypeError('error sending request for url (https://pay.example.com/v1/payments)'),
    new Error('Network connection lost.'),
    new Error('request to https://pay.example.com/v1/payments failed, reason: read ECONNRESET'),
    null,
  ])('the fetch of a client is repeated when it rejects with %s', async (reason) => {
    const { attempts, outcome } = await create(() => Promise.reject(reason));
    expect(attempts).toBe(4);
    expect(outcome).toBeInstanceOf(ConnectionError);
  });
});

async function readBefore(response: Response): Promise<Response> {
  await response.text();
  return response;
}

function lock(response: Response): Response {
  response.body?.getReader();
  return response;
}

it.each([
  [0, [0, 0, 0]],
  [0.5, [250, 500, 1_000]],
  [1, [500, 1_000, 2_000]],
])('the waits have full jitter: a random %d gives %j ms', async (random, waits) => {
  const clock = { ...virtualClock(), random: () => random };
  await client({ fetch: unavailable }, clock)
    .payments.retrieve('pay_1')
    .catch(() => {});
  expect(clock.waitsMs).toEqual(waits);
});

it('the waits end when the signal aborts', async () => {
  const controller = new AbortController();
  const reason = new Error('The shop is closing.');
  const clock = {
    ...systemClock,
    random: () => 1,
    sleep: (ms: number, signal: AbortSignal | undefined) => {
      // So long that only the abort can end it.
      const slept = systemClock.sleep(ms * 1_000_000, signal);
      controller.abort(reason);
      return slept;
    },
  };
  const tollgate = new Tollgate({ apiKey: API_KEY, baseUrl: BASE_URL, fetch: unavailable }, clock);
  const call = tollgate.payments.retrieve('pay_1', { signal: controller.signal });
  await expect(call).rejects.toMatchObject({ name: 'AbortError', cause: reason });
});

describe('an aborted call', () => {
  const ABORTED = { name: 'AbortError', code: 'aborted', cause: 'stop' };

  it('an aborted call sends nothing when it is aborted before', async () => {
    const fetch = () => Promise.reject(new Error('was called'));
    const call = client({ fetch }).payments.retrieve('pay_1', { signal: AbortSignal.abort('stop') });
    await expect(call).rejects.toMatchObject(ABORTED);
  });

  it('an aborted call is not repeated, and rejects with the idempotency key that was sent', async () => {
    const controller = new AbortController();
    const keys: (string | null)[] = [];
    const fetch = (_url: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        keys.push(new Headers(init?.headers).get('idempotency-key'));
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        controller.abort('stop');
      });
    const call = client({ fetch }).payments.create(PARAMS, { signal: controller.signal });
    const error = await call.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TollgateError);
    expect(error).toMatchObject({ ...ABORTED, idempotencyKey: expect.any(String) });
    expect(keys).toEqual([(error as TollgateError).idempotencyKey]);
  });
});

describe('lastResponse', () => {
  const headers = { 'x-request-id': 'req_1' };
  const fetch = async () => Response.json(PAYMENT, { headers });

  it('lastResponse tells the request id, the status, and the generated idempotency key', async () => {
    const { lastResponse } = await client({ fetch }).payments.create(PARAMS);
    expect(lastResponse).toEqual({
      status: 200,
      requestId: 'req_1',
      idempotencyKey: expect.stringMatching(/^[\da-f-]{36}$/),
      idempotentReplayed: false,
    });
  });

  it('lastResponse is in no copy of a payment', async () => {
    const payment = await client({ fetch }).payments.retrieve('pay_1');
    expect(payment.lastResponse.idempotencyKey).toBeUndefined();
    expect(Object.keys(payment)).toEqual(Object.keys(PAYMENT));
    expect(JSON.parse(JSON.stringify(payment))).toEqual(PAYMENT);
  });
});

describe('onAttempt', () => {
  /** Creates a payment after a 503, and returns what the hook got. */
  async function attemptsOf(onAttempt: (attempt: AttemptInfo) => unknown = () => {}) {
    const attempts: AttemptInfo[] = [];
    const replies = [
      unavailable,
      async () => Response.json(PAYMENT, { headers: { 'x-request-id': 'req_2' } }),
    ];
    const tollgate = client({
      fetch: async () => (replies.shift() ?? unavailable)(),
      onAttempt: (attempt) => {
        attempts.push(attempt);
        return onAttempt(attempt);
      },
    });
    const payment = await tollgate.payments.create(PARAMS, { idempotencyKey: 'order-1' });
    return { attempts, payment };
  }

  it('onAttempt gets each attempt with its outcome and the wait that follows', async () => {
    const { attempts } = await attemptsOf();
    const call = { method: 'POST', path: '/v1/payments', idempotencyKey: 'order-1' };
    const durationMs = expect.any(Number);
    expect(attempts).toEqual([
      {
        ...call,
        attempt: 1,
        durationMs,
        status: 503,
        requestId: undefined,
        error: expect.objectContaining({ name: 'ServerError' }),
        retryInMs: expect.any(Number),
      },
      {
        ...call,
        attempt: 2,
        durationMs,
        status: 200,
        requestId: 'req_2',
        error: undefined,
        retryInMs: undefined,
      },
    ]);
  });

  it('onAttempt gets no API key', async () => {
    const { attempts } = await attemptsOf();
    expect(inspect(attempts, { depth: 9, showHidden: true })).not.toContain(API_KEY);
  });

  it('onAttempt gets an attempt that is aborted', async () => {
    const attempts: AttemptInfo[] = [];
    const controller = new AbortController();
    const fetch = async () => {
      controller.abort('stop');
      throw new Error('aborted');
    };
    const tollgate = client({ fetch, onAttempt: (attempt) => attempts.push(attempt) });
    await tollgate.payments.retrieve('pay_1', { signal: controller.signal }).catch(() => {});
    expect(attempts).toMatchObject([{ attempt: 1, error: { code: 'aborted' }, retryInMs: undefined }]);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('The disk is full.');
      },
    ],
    ['rejects', () => Promise.reject(new Error('The disk is full.'))],
  ])('onAttempt changes no call when it %s', async (_verb, onAttempt) => {
    const { attempts, payment } = await attemptsOf(onAttempt);
    expect(attempts).toHaveLength(2);
    expect(payment).toEqual(PAYMENT);
  });
});
