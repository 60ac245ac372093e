import { RETURN_URL_SENTENCE } from '@tollgate/contracts/payments/payment';
import { Problem } from '@tollgate/contracts/platform/problem';
import { expect, test } from 'vitest';
import { type RawBody, readCancelBody, readCreateBody } from './request-body.ts';

const minimal = { amount: 100, currency: 'EUR' };

function raw(body: unknown, contentType: string | undefined = 'application/json'): RawBody {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { bytes: Buffer.from(text), contentType, contentEncoding: undefined };
}

function problemOf(read: () => unknown): Problem['details'] {
  try {
    read();
  } catch (error) {
    if (error instanceof Problem) return error.details;
    throw error;
  }
  throw new Error('It was accepted');
}

test.each([0, -1, 1_000_000_000_000])(
  'the body of a creation may have the amount %s, which has its own error code',
  (amount) => {
    expect(readCreateBody(raw({ ...minimal, amount }))).toMatchObject({ amount });
  },
);

test('the body of a creation is accepted with every field at its limit', () => {
  const body = {
    amount: 999_999_999_999,
    currency: 'eur',
    purpose: '😀'.repeat(255),
    reference: 'r'.repeat(255),
    payer: { name: 'n'.repeat(140), account: 'a'.repeat(64), email: null },
    payee: {},
    payment_method: null,
    metadata: Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`${i}`.padStart(40, 'k'), 'two\tlines\r\n'.padEnd(500, 'v')]),
    ),
  };
  expect(readCreateBody(raw(body))).toEqual(body);
});

test.each([
  ['charset', 'application/json; charset=utf-8'],
  ['charset in upper case and quotes', 'Application/JSON;charset="UTF-8"'],
  ['charset without a dash', 'application/json; charset=utf8'],
  ['other parameters', 'application/json;odata=verbose'],
])('the body of a creation may contain its %s', (_what, contentType) => {
  expect(readCreateBody(raw(minimal, contentType))).toEqual(minimal);
});

test.each([
  ['no Content-Type', { ...raw(minimal), contentType: undefined }],
  ['another Content-Type', raw(minimal, 'text/plain')],
  ['a Content-Type that only begins so', raw(minimal, 'application/jsonp')],
  ['another charset', raw(minimal, 'application/json; charset=latin1')],
  ['a content encoding', { ...raw(minimal), contentEncoding: 'gzip' }],
])('the body of a creation is rejected with %s', (_what, body) => {
  expect(problemOf(() => readCreateBody(body)).code).toBe('unsupported-media-type');
});

// A gateway forwards a content type only together with a body, so an empty body must not be rejected for a missing
// type.
test.each(['application/json', undefined])(
  'the body of a creation is malformed when empty, of the type %s',
  (contentType) => {
    const body = { bytes: Buffer.alloc(0), contentType, contentEncoding: undefined };
    expect(problemOf(() => readCreateBody(body)).code).toBe('malformed-request');
  },
);

test.each([
  ['amount as text', { ...minimal, amount: '100' }, ['/amount']],
  ['amount with a fraction', { ...minimal, amount: 1.5 }, ['/amount']],
  ['amount as true', { ...minimal, amount: true }, ['/amount']],
  ['endless amount', '{"amount":1e999,"currency":"EUR"}', ['/amount']],
  ['an array', [minimal], ['']],
  ['no fields', {}, ['/amount', '/currency']],
  ['a field that does not exist', { ...minimal, ammount: 1 }, ['/ammount']],
  ['an unknown field of a party', { ...minimal, payer: { iban: 'x' } }, ['/payer/iban']],
  ['empty purpose', { ...minimal, purpose: '' }, ['/purpose']],
  ['long purpose', { ...minimal, purpose: 'p'.repeat(256) }, ['/purpose']],
  ['an email without @', { ...minimal, payee: { email: 'x' } }, ['/payee/email']],
  ['an override in the purpose', { ...minimal, purpose: 'a\u202eb' }, ['/purpose']],
  ['NUL in the reference', { ...minimal, reference: 'a\0b' }, ['/reference']],
  ['a zero-width space in a name', { ...minimal, payer: { name: 'A\u200bda' } }, ['/payer/name']],
  ['a soft hyphen in an email', { ...minimal, payee: { email: 'a\u00adda@example.com' } }, ['/payee/email']],
  ['a control character in metadata', { ...minimal, metadata: { note: 'a\x1b[2J' } }, ['/metadata/note']],
  ['a number in metadata', { ...minimal, metadata: { 'a/b~c': 1 } }, ['/metadata/a~1b~0c']],
  [
    'a long metadata key',
    { ...minimal, metadata: { ['k'.repeat(41)]: 'v' } },
    [`/metadata/${'k'.repeat(41)}`],
  ],
])('the body of a creation is rejected with the invalid fields named: %s', (_what, body, pointers) => {
  const { code, errors } = problemOf(() => readCreateBody(raw(body)));
  expect(code).toBe('invalid-request');
  expect(errors?.map(({ pointer }) => pointer).sort()).toEqual(pointers);
});

test.each([
  'http://shop.example/',
  'https://user@shop.example/',
  'https://:secret@shop.example/',
  'http://localhost.shop.example/',
  'http://localhost@shop.example/',
  'http://localhost:80@shop.example/',
  'https:///shop.example/',
  'https://',
])('the body of a creation is rejected with the return URL %s', (return_url) => {
  const { code, errors } = problemOf(() => readCreateBody(raw({ ...minimal, return_url })));
  expect(code).toBe('invalid-request');
  expect(errors).toMatchObject([{ pointer: '/return_url', detail: RETURN_URL_SENTENCE }]);
});

test.each([
  'https://shop.example/@ada?next=http://x',
  'HTTPS://Shop.Example:8443',
  'https://localhost:3000/',
  'http://localhost:3000/done',
  'http://127.0.0.1?a',
  'http://[::1]:8080/',
])('the body of a creation is accepted with the return URL %s', (return_url) => {
  expect(readCreateBody(raw({ ...minimal, return_url }))).toMatchObject({ return_url });
});

test('the body of a creation is rejected with every invalid field named, however many there are', () => {
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, i]));
  const { errors } = problemOf(() =>
    readCreateBody(raw({ amount: '1', currency: 1, purpose: 1, payer: 1, metadata })),
  );
  expect(errors).toHaveLength(54);
});

test('the body of a cancellation may be absent', () => {
  expect(readCancelBody({ ...raw(''), contentType: undefined })).toEqual({});
});

test('the body of a cancellation accepts only the reasons that callers may give', () => {
  expect(readCancelBody(raw({ cancellation_reason: 'duplicate' }))).toEqual({
    cancellation_reason: 'duplicate',
  });
  const { code, errors } = problemOf(() => readCancelBody(raw({ cancellation_reason: 'expired' })));
  expect(code).toBe('invalid-request');
  expect(errors).toMatchObject([{ pointer: '/cancellation_reason' }]);
});
