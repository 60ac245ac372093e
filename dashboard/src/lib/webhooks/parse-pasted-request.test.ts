import { expect, it } from 'vitest';
import { parsePastedRequest } from './parse-pasted-request.ts';

const BODY = '{"type":"payment.created","data":{"purpose":"a: b"}}';
const READ = {
  id: 'evt_1',
  timestamp: '1700000000',
  signature: 'v1,AAAA= v1,BBBB=',
  body: BODY,
  isLineBreakDropped: false,
};
const plain = `webhook-id: evt_1\nwebhook-timestamp: 1700000000\nwebhook-signature: v1,AAAA= v1,BBBB=\n\n${BODY}`;

it.each([
  ['headers, an empty line and the body', plain],
  ['line breaks as forms send them', plain.replaceAll('\n', '\r\n')],
  ['names in any case', plain.replaceAll('webhook-', 'Webhook-')],
  ['empty lines before it', `\n\n${plain}`],
  ['no empty line before the body', plain.replace('\n\n', '\n')],
  [
    'a request line and other headers',
    `POST /hooks HTTP/1.1\nHost: shop.example:8443\ncontent-type: application/json\n${plain}`,
  ],
  [
    'what curl -v writes',
    `*   Trying 127.0.0.1:4000...\n* Connected\n${plain
      .slice(0, plain.indexOf('\n\n'))
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n')}\n> \n${BODY}`,
  ],
  [
    'headers as an object in a log',
    `{\n  "host": "shop.example",\n  'webhook-id': 'evt_1',\n  "webhook-timestamp": "1700000000",\n  "webhook-signature": "v1,AAAA= v1,BBBB="\n}\n\n${BODY}`,
  ],
  ['headers as Rack names them', plain.replaceAll('webhook-', 'HTTP_WEBHOOK_')],
])('a pasted request is read from %s', (_, pasted) => {
  expect(parsePastedRequest(pasted)).toEqual(READ);
});

it('a pasted request drops trailing line breaks and reports it, and keeps inner line breaks', () => {
  expect(parsePastedRequest(`${plain}\r\n`)).toEqual({ ...READ, isLineBreakDropped: true });
  const indented = JSON.stringify(JSON.parse(BODY), null, 2);
  expect(parsePastedRequest(plain.replace(BODY, indented)).body).toBe(indented);
});

it('a pasted request keeps empty lines and spaces at the edges of a body', () => {
  const body = ' {"a":\n\n1} ';
  expect(parsePastedRequest(plain.replace(BODY, body)).body).toBe(body);
});

it('a pasted request without headers is only a body, and without a body has an empty one', () => {
  expect(parsePastedRequest(BODY)).toEqual({ ...READ, id: '', timestamp: '', signature: '' });
  expect(parsePastedRequest('webhook-id: evt_1')).toMatchObject({ id: 'evt_1', signature: '', body: '' });
  expect(parsePastedRequest('hello')).toMatchObject({ id: '', timestamp: '', signature: '', body: '' });
});
