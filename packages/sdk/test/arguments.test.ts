import { expect, it } from 'vitest';
import {
  type CreateOptions,
  fromMinorUnits,
  type RequestOptions,
  toMinorUnits,
  type WriteOptions,
} from '../src/index.ts';
import { Tollgate, type TollgateOptions } from '../src/tollgate.ts';
import { generateTestRequest, type VerifyOptions, verify } from '../src/webhooks.ts';
import { API_KEY } from './cases/case-file.ts';

const PAYMENT = { id: 'pay_1', object: 'payment' };
const PARAMS = { amount: 1, currency: 'EUR' };
const EVENT = { type: 'payment.succeeded', data: {} };
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Wrong types, null, and NaN. A row adds what is out of range and a number as text. */
const NEVER_VALID = [null, Number.NaN, true, [], Symbol('value')];
const NO_OBJECT = [...NEVER_VALID, 'text', 1, () => {}, new Map(), Promise.resolve({})];
const NO_DURATION = [...NEVER_VALID, {}, '60000', '', 0, -1, Number.POSITIVE_INFINITY, 2 ** 31, 1n];
const NO_TEXT = [...NEVER_VALID, {}, 1, 1n];

/** One row for each option: the compiler rejects a table that lacks one. */
const OF_THE_CLIENT: Record<keyof TollgateOptions, unknown[]> = {
  apiKey: [...NO_TEXT, undefined, '', [API_KEY], new String(API_KEY)],
  baseUrl: [...NO_TEXT, undefined, '', ['http://localhost'], new URL('http://localhost')],
  timeoutMs: NO_DURATION,
  attemptTimeoutMs: NO_DURATION,
  maxRetries: [...NEVER_VALID, {}, '3', '', -1, 1.5, Number.POSITIVE_INFINITY, 1n],
  fetch: [...NEVER_VALID, {}, 'fetch', 1],
  onAttempt: [...NEVER_VALID, {}, 'log', 1],
};
const OF_A_READ: Record<keyof RequestOptions, unknown[]> = {
  signal: [...NEVER_VALID, {}, 'abort', 1, new AbortController()],
  timeoutMs: NO_DURATION,
  attemptTimeoutMs: NO_DURATION,
};
const OF_A_WRITE: Record<keyof WriteOptions, unknown[]> = {
  ...OF_A_READ,
  idempotencyKey: [...NO_TEXT, ['order-1'], new String('order-1'), '', 'a b', 'é', 'k'.repeat(256)],
};
const OF_A_CREATION: Record<keyof CreateOptions, unknown[]> = {
  ...OF_A_WRITE,
  waitForAction: [null, {}, 'true', 1],
};
const OF_A_VERIFICATION: Record<keyof VerifyOptions, unknown[]> = {
  toleranceSeconds: [...NEVER_VALID, {}, '300', -1, Number.POSITIVE_INFINITY, 1n],
  now: [...NEVER_VALID, {}, Date.now(), '2026-01-15', new Date('soon')],
};
const NO_CURRENCY = [...NEVER_VALID, undefined, {}, '', '2', 9, -1, 1.5, 1n, ['EUR']];
const NO_ID = [...NO_TEXT, undefined, '', '/', 'pay_1/cancel', 'pay_1?a', 'pay_1\n', ['pay_1']];

type Call = (value: never) => unknown;

let requests = 0;
const fetch = async () => {
  requests += 1;
  return Response.json(PAYMENT);
};
const client = (options: object = {}) =>
  new Tollgate({ apiKey: API_KEY, baseUrl: 'http://localhost', fetch, ...options });
const { payments } = client();

/** A row for each option of the table, with a call that passes a value as this option. */
function rows(table: Record<string, unknown[]>, what: string, call: (options: never) => unknown) {
  return Object.entries(table).map(([option, values]): [string, unknown[], Call] => [
    `${option} of ${what}`,
    values,
    (value) => call({ [option]: value } as never),
  ]);
}

const ROWS: [string, unknown[], Call][] = [
  ...rows(OF_THE_CLIENT, 'the client', (options) => client(options)),
  ...rows(OF_A_CREATION, 'create', (options) => payments.create(PARAMS, options)),
  ...rows(OF_A_WRITE, 'cancel', (options) => payments.cancel('pay_1', {}, options)),
  ...rows(OF_A_READ, 'retrieve', (options) => payments.retrieve('pay_1', options)),
  ...rows(OF_A_VERIFICATION, 'verify', (options) => verify('', {}, SECRET, options)),
  ...rows({ now: OF_A_VERIFICATION.now }, 'generateTestRequest', (options) =>
    generateTestRequest(EVENT, SECRET, options),
  ),
  ['the id of retrieve', NO_ID, (id) => payments.retrieve(id)],
  ['the id of cancel', NO_ID, (id) => payments.cancel(id)],
  ['the params of create', [...NO_OBJECT, undefined], (params) => payments.create(params)],
  ['the params of cancel', NO_OBJECT, (params) => payments.cancel('pay_1', params)],
  [
    'a number in the params',
    [Number.NaN, Number.POSITIVE_INFINITY, 1n],
    (value) => payments.create({ ...PARAMS, reference: value }),
  ],
  ['the options of the client', [...NO_OBJECT, undefined], (options) => new Tollgate(options)],
  ['the options of create', NO_OBJECT, (options) => payments.create(PARAMS, options)],
  ['the options of cancel', NO_OBJECT, (options) => payments.cancel('pay_1', {}, options)],
  ['the options of retrieve', NO_OBJECT, (options) => payments.retrieve('pay_1', options)],
  ['the options of verify', NO_OBJECT, (options) => verify('', {}, SECRET, options)],
  ['the body of verify', [...NEVER_VALID, undefined, {}, 1], (body) => verify(body, {}, SECRET)],
  ['the headers of verify', [null, Number.NaN, true, undefined, 'text'], (all) => verify('', all, SECRET)],
  ['the secrets of verify', [...NO_TEXT, undefined, '', [null]], (secrets) => verify('', {}, secrets)],
  [
    'the event of generateTestRequest',
    [...NO_OBJECT, undefined, { data: {} }, { type: 'a' }],
    (event) => generateTestRequest(event, SECRET),
  ],
  [
    'the secrets of generateTestRequest',
    [...NO_TEXT, undefined, '', [null]],
    (secrets) => generateTestRequest(EVENT, secrets),
  ],
  ['the options of generateTestRequest', NO_OBJECT, (options) => generateTestRequest(EVENT, SECRET, options)],
  ['the amount of toMinorUnits', [...NO_TEXT, undefined, ''], (amount) => toMinorUnits(amount, 'EUR')],
  ['the currency of toMinorUnits', NO_CURRENCY, (currency) => toMinorUnits('1', currency)],
  ['the amount of fromMinorUnits', [...NEVER_VALID, '1', 1n], (amount) => fromMinorUnits(amount, 'EUR')],
  ['the currency of fromMinorUnits', NO_CURRENCY, (currency) => fromMinorUnits(1, currency)],
];

it.each(ROWS)(
  'InvalidArgumentError is thrown before a request for an invalid value of %s',
  async (_argument, values, call) => {
    requests = 0;
    for (const value of values) {
      const outcome = await (async () => call(value as never))().catch((error: unknown) => error);
      expect(outcome, `${typeof value} ${String(value)}`).toMatchObject({ name: 'InvalidArgumentError' });
    }
    expect(requests).toBe(0);
  },
);

it('InvalidArgumentError is thrown before a request for no argument that is absent', async () => {
  const absent = undefined;
  const tollgate = new Tollgate({
    apiKey: API_KEY,
    baseUrl: 'http://localhost',
    fetch,
    timeoutMs: absent,
    attemptTimeoutMs: absent,
    maxRetries: absent,
    onAttempt: absent,
  });
  const options = { timeoutMs: absent, attemptTimeoutMs: absent, signal: absent, idempotencyKey: absent };
  expect(await tollgate.payments.create(PARAMS, { ...options, waitForAction: absent })).toEqual(PAYMENT);
  expect(await tollgate.payments.cancel('pay_1', undefined, options)).toEqual(PAYMENT);
});
