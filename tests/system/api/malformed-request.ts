import fc from 'fast-check';

/** A request in parts. Text is latin1, one character per byte. */
export interface Draft {
  method: string;
  target: string;
  version: string;
  headers: string[];
  framing: readonly string[];
  body: string;
  lineEnd: string;
}

type Mutation = (draft: Draft) => Draft;

const PAYMENT_PATH = '/v1/payments/pay_01kdvf5600er0bqwmkpv3d9a7x';
const CREATE_BODY = '{"amount":1250,"currency":"EUR"}';

/** Well-formed requests of the public API. */
export const publicDrafts = (credential: string): Draft[] => [
  draft('GET', PAYMENT_PATH, { credential }),
  draft('HEAD', PAYMENT_PATH, { credential }),
  draft('POST', '/v1/payments', { credential, body: CREATE_BODY }),
  draft('POST', `${PAYMENT_PATH}/cancel`, { credential, body: '{}' }),
  draft('GET', '/docs/errors', { credential }),
];

/**
 * Well-formed requests with one to three faults that clients with bugs and attackers introduce. With more
 * faults, the first layer would reject nearly every request and the layers behind it would stay untested.
 */
export function malformedRequest(drafts: Draft[]): fc.Arbitrary<string> {
  const base = fc.constantFrom(...drafts);
  const mutated = fc
    .tuple(base, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([start, mutations]) => toText(mutations.reduce((current, mutate) => mutate(current), start)));
  const corrupted = fc
    .tuple(mutated, fc.nat(), fc.nat({ max: 255 }))
    .map(([text, at, byte]) => replaceAt(text, at % text.length, String.fromCharCode(byte)));
  const noise = fc.uint8Array({ maxLength: 400 }).map(latin1);
  return fc.oneof(
    { weight: 16, arbitrary: mutated },
    { weight: 3, arbitrary: corrupted },
    { weight: 1, arbitrary: noise },
  );
}

export function draft(
  method: string,
  target: string,
  {
    credential = '',
    body = '',
    host = 'localhost',
    type = 'application/json',
  }: { credential?: string; body?: string; host?: string; type?: string },
): Draft {
  return {
    method,
    target,
    version: 'HTTP/1.1',
    headers: [`Host: ${host}`, `Authorization: Bearer ${credential}`, `Content-Type: ${type}`],
    framing: body === '' ? [] : [`Content-Length: ${body.length}`],
    body,
    lineEnd: '\r\n',
  };
}

function toText({ method, target, version, headers, framing, body, lineEnd }: Draft): string {
  return [`${method} ${target} ${version}`, ...headers, ...framing, '', body].join(lineEnd);
}

const latin1 = (array: Uint8Array) => Buffer.from(array).toString('latin1');
const replaceAt = (text: string, at: number, piece: string) => text.slice(0, at) + piece + text.slice(at + 1);
const bytes = fc.uint8Array({ maxLength: 40 }).map(latin1);
const inLine = bytes.map((text) => text.replace(/[\r\n]/g, ''));

const methods = fc.constantFrom(
  ...['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH', 'PROPFIND', 'QUERY', 'CONNECT', 'PRI'],
  ...['get', 'G ET', '', 'GET\t', 'X'.repeat(50)],
);

const pathPieces = fc.oneof(
  fc.constantFrom(
    ...['/', '//', '/.', '/..', '/%2e%2e', '/%2E', '%2f', '%5c', '\\', ';', ';a=b', '%00', '%', '%zz', '%ff'],
    ...[
      '%c0%af',
      '%ed%a0%80',
      '#',
      '?',
      '?a=1',
      '?%ff',
      '&',
      '*',
      ' ',
      '%20',
      '@',
      ':',
      '[',
      '{',
      '\u00e9',
      '\u0001',
      '\u007f',
    ],
    ...['/v1', '/payments', '/cancel', '/docs', '/errors', '/openapi.json', '/__proto__', '/internal', '%70'],
  ),
  fc.constantFrom(30, 90, 101, 2_048, 20_000).map((length) => `/${'a'.repeat(length)}`),
  inLine,
);
const targets = fc.oneof(
  fc.array(pathPieces, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join('')),
  fc.constantFrom(
    'http://127.0.0.1:1/v1/payments',
    'https://user:pw@example.com',
    '//evil.example/',
    '*',
    '',
    'a:443',
    'javascript:1',
  ),
);

const authorizations = fc.constantFrom(
  '',
  'Bearer',
  'Bearer  ',
  'Basic YTpi',
  'Bearer tg_live_x',
  'Bearer a b',
  `Bearer ${'a'.repeat(9_000)}`,
);

const headers = fc.oneof(
  fc.constantFrom(
    ...[
      'Authorization: Bearer twice',
      'Content-Type: application/json',
      'Host: twice',
      'Host:',
      'Idempotency-Key: order-1',
    ],
    ...[
      'Idempotency-Key: ',
      'Idempotency-Key: "a',
      `Idempotency-Key: ${'k'.repeat(300)}`,
      'Idempotency-Key: \u00e9',
    ],
    ...[
      'Content-Encoding: gzip',
      'Content-Length: -1',
      'Content-Length: 99999999999999999999',
      'Content-Length: 1e3',
    ],
    ...[
      'Content-Length: 5',
      'Content-Length: 200000',
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: gzip',
      'Transfer-Encoding: identity',
    ],
    ...[
      'Expect: 100-continue',
      'Expect: the-unexpected',
      'Upgrade: websocket',
      'Connection: upgrade',
      'Connection: close, x-tollgate-principal',
    ],
    ...[
      'TE: trailers',
      'Trailer: x',
      'Accept: text/html',
      'Accept: ;q=',
      'Accept: */*;q=0',
      'Accept: \u00ff',
      'Accept-Version: 1.0.0',
      'Range: bytes=0-',
    ],
    ...[
      'If-None-Match: *',
      'If-None-Match: \u00ff',
      'traceparent: 00-0-0-00',
      'tracestate: \u00ff',
      'X-Forwarded-For: ,,,',
      'X-Forwarded-Host: evil',
    ],
    ...[
      'X-Request-Id: \u00ff',
      'x-tollgate-principal: e30',
      'X-Tollgate-Signature: t=1,v=1,s=0',
      'Cookie: a=b',
      '__proto__: 1',
      'constructor: 1',
    ],
    ...[
      ':method: GET',
      'no colon',
      ' folded: 1',
      'Name : spaced',
      'x: a\u0000b',
      'x: a\rb',
      `x: ${'v'.repeat(20_000)}`,
      'x-http-method-override: DELETE',
    ],
  ),
  fc.tuple(inLine, inLine).map(([name, value]) => `${name}: ${value}`),
);

const contentTypes = fc.constantFrom(
  ...[
    '',
    'text/plain',
    ';;',
    'application/json; charset=utf-16',
    'application/json; charset=UTF-8',
    'application/jsonp',
    'a/b',
    '\u00ff',
  ],
);

const bodies = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '{"amount":1e400}',
      '{"amount":1,"amount":2}',
      '{"__proto__":{}}',
      '{"constructor":{}}',
    ],
    ...[
      '{"amount":99999999999999999999999,"currency":"EUR"}',
      '{"amount":"1","currency":"EUR"}',
      '{"reference":"4111111111111111"}',
    ],
    ...[
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      '\u00ef\u00bb\u00bf{}',
      '{"currency":"\u00ff"}',
      '{"a":"\\ud800"}',
      'NaN',
      '\u0000',
    ],
    ' '.repeat(140_000),
  ),
  fc.json().map((text) => Buffer.from(text).toString('latin1')),
  bytes,
);

const framings = fc.oneof(
  bodies.map((body) => ({ framing: [`Content-Length: ${body.length}`], body })),
  bodies.map((body) => ({
    framing: ['Transfer-Encoding: chunked'],
    body: body === '' ? '0\r\n\r\n' : `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  })),
  fc
    .tuple(bodies, fc.nat({ max: 200 }))
    .map(([body, length]) => ({ framing: [`Content-Length: ${length}`], body })),
  fc
    .oneof(
      bytes,
      fc.constantFrom(
        'ffffffffffffffff\r\n',
        '5;ext=1\r\nabc',
        '-1\r\n\r\n',
        '1\r\nab\r\n',
        '0\r\nx: y\r\n\r\n',
      ),
    )
    .map((body) => ({ framing: ['Transfer-Encoding: chunked'], body })),
  fc.constant({ framing: ['Content-Length: 2', 'Transfer-Encoding: chunked'], body: '0\r\n\r\n' }),
);

const setHeader =
  (name: string, value: string | null): Mutation =>
  (current) => ({
    ...current,
    headers: current.headers.flatMap((header) => {
      if (!header.startsWith(`${name}:`)) return [header];
      return value === null ? [] : [`${name}: ${value}`];
    }),
  });

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  methods.map(
    (method): Mutation =>
      (current) => ({ ...current, method }),
  ),
  targets.map(
    (target): Mutation =>
      (current) => ({ ...current, target }),
  ),
  pathPieces.map(
    (piece): Mutation =>
      (current) => ({ ...current, target: current.target + piece }),
  ),
  fc.constantFrom('HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP', '', 'http/1.1').map(
    (version): Mutation =>
      (current) => ({ ...current, version }),
  ),
  fc.constantFrom('Host', 'Authorization', 'Content-Type').map((name) => setHeader(name, null)),
  authorizations.map((value) => setHeader('Authorization', value)),
  contentTypes.map((value) => setHeader('Content-Type', value)),
  headers.map(
    (header): Mutation =>
      (current) => ({ ...current, headers: [...current.headers, header] }),
  ),
  framings.map(
    (framed): Mutation =>
      (current) => ({ ...current, ...framed }),
  ),
  fc.constantFrom('\n', '\r', '\r\n\r\n', '').map(
    (lineEnd): Mutation =>
      (current) => ({ ...current, lineEnd }),
  ),
);
