import { expect, it } from 'vitest';
import { LOGGED_ERROR_LIMITS, loggedErrors } from './logged-error.ts';

it('a logged error has the place and the code, without the sentence', () => {
  const detail = 'This field is required.';
  expect(
    loggedErrors([
      { pointer: '/payer/email', code: 'invalid', detail },
      { parameter: 'limit', code: 'unknown', detail },
      { header: 'Idempotency-Key', code: 'reused', detail },
    ]),
  ).toEqual([
    { pointer: '/payer/email', code: 'invalid' },
    { parameter: 'limit', code: 'unknown' },
    { header: 'Idempotency-Key', code: 'reused' },
  ]);
});

it('a logged error contains no name that may be a value', () => {
  const key = `tg_live_${'A'.repeat(16)}_${'b'.repeat(38)}`;
  for (const name of [key, 'ada@example.com', 'Ada Lovelace', 'card_4111111111111111', '4915112345678', '~1'])
    expect(loggedErrors([{ pointer: `/metadata/${name}`, code: 'unknown' }])).toEqual([
      { pointer: '/metadata', code: 'unknown' },
    ]);
  expect(loggedErrors([{ parameter: key, code: 'unknown' }])).toEqual([{ code: 'unknown' }]);
});

it('the logged errors are bounded, whatever payments sent', () => {
  const many = Array.from({ length: 300 }, () => ({ pointer: `${'/name'.repeat(200)}`, code: 'unknown' }));
  expect(loggedErrors(many)).toEqual(
    Array(LOGGED_ERROR_LIMITS.perRequest).fill({ pointer: '', code: 'unknown' }),
  );
  for (const errors of [
    undefined,
    null,
    'x',
    [null],
    [{}],
    [{ pointer: '/a', code: 'x'.repeat(99) }],
    [{ code: 'x' }],
  ])
    expect(loggedErrors(errors)).toEqual([]);
});
