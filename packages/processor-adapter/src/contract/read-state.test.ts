import { expect, it } from 'vitest';
import { MalformedBody, readCallback, readRejection, readState } from './read-state.ts';

const waiting = (url: string) =>
  JSON.stringify({ status: 'action_required', reference: 'r', next_action: { type: 'redirect', url } });

it.each([
  ['HTTPS://Pay.example', 'https://pay.example/'],
  ['https://pay.example/支付?é', 'https://pay.example/%E6%94%AF%E4%BB%98?%C3%A9'],
  ['https://pay.example/a\nb', 'https://pay.example/ab'],
])('a state of an adapter has the page of the payer in its normal form: %j', (url, normal) => {
  expect(readState(waiting(url)).next_action?.url).toBe(normal);
});

it.each(['https://', `https://pay.example/${'é'.repeat(500)}`])(
  'a state of an adapter is malformed with the page %s',
  (url) => {
    expect(() => readState(waiting(url))).toThrow(MalformedBody);
  },
);

it('a state of an adapter keeps the words of a failure, without characters that hide or reorder them', () => {
  const failure = { code: 'declined', message: 'Card\r\ndeclined\u202e\u200b.' };
  const plain = { code: 'declined', message: 'Card declined.' };
  const failed = { status: 'failed', reference: null, failure };
  expect(readState(JSON.stringify(failed)).failure).toEqual(plain);
  expect(readRejection(JSON.stringify({ failure })).failure).toEqual(plain);
  const callback = { ...failed, payment_id: 'pay_01kdvf5600er0bqwmkpv3d9a7x' };
  expect(readCallback(JSON.stringify(callback)).failure).toEqual(plain);
});
