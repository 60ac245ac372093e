import fc from 'fast-check';

const bytes = (text: string) => Buffer.from(text);
const payload = { amount: 1999, currency: 'EUR', payer: { name: 'Ada' }, metadata: { a: 'b' } };

const wrongTypes = fc
  .record(
    Object.fromEntries(
      ['amount', 'currency', 'purpose', 'reference', 'payer', 'payee', 'payment_method', 'metadata'].map(
        (name) => [
          name,
          fc.oneof(fc.jsonValue(), fc.constantFrom(1e308, -0, 1e21, '1', true, [], {}, '\u0000', '\ud800')),
        ],
      ),
    ),
    { requiredKeys: [] },
  )
  .map((body) => bytes(JSON.stringify(body)));

const hugeNumbers = fc
  .constantFrom(
    '1e999',
    '-1e999',
    '1000000000000',
    '9'.repeat(400),
    '0.1e-400',
    '1E+',
    '0x10',
    '01',
    'NaN',
    'Infinity',
    '1_000',
  )
  .map((number) => bytes(`{"amount":${number},"currency":"EUR"}`));

const deepNesting = fc
  .tuple(fc.constantFrom('[', '{"a":'), fc.integer({ min: 50, max: 20_000 }))
  .map(([open, depth]) => bytes(`{"metadata":${open.repeat(depth)}`));

const mutatedJson = fc
  .tuple(
    fc.array(fc.tuple(fc.nat(200), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 5 }),
    fc.nat(100),
  )
  .map(([changes, cut]) => {
    const body = bytes(JSON.stringify(payload));
    for (const [position, value] of changes) body[position % body.length] = value;
    return body.subarray(0, body.length - (cut % body.length));
  });

const dangerousNames = fc
  .constantFrom('__proto__', 'constructor', 'toString', '$where', '$gt', 'a.b', '', '\u0000', 'amount')
  .map((name) => bytes(`{"amount":1,"currency":"EUR",${JSON.stringify(name)}:{"$gt":""}}`));

/**
 * Bodies of `POST /v1/payments` that are not JSON, not UTF-8, too deep, of the wrong shape, or contain huge numbers.
 */
export const malformedBody: fc.Arbitrary<Uint8Array> = fc.oneof(
  wrongTypes,
  hugeNumbers,
  deepNesting,
  mutatedJson,
  dangerousNames,
  fc.uint8Array({ maxLength: 200 }),
);
