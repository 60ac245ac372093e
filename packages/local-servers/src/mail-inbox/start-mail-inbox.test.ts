import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MailInbox, startMailInbox } from './start-mail-inbox.ts';

let inbox: MailInbox;

beforeAll(async () => {
  inbox = await startMailInbox({ smtp: 0, http: 0 });
});
afterAll(() => inbox.stop());

/** Sends a mail as a client would, line by line. */
async function send(source: string): Promise<void> {
  const socket = connect(Number(new URL(inbox.smtpUrl).port), '127.0.0.1');
  const replies = createInterface({ input: socket })[Symbol.asyncIterator]();
  const say = async (line: string) => {
    socket.write(`${line}\r\n`);
    expect((await replies.next()).value).toMatch(/^[23]/);
  };
  await replies.next();
  await say('HELO test');
  await say('MAIL FROM:<tollgate@example.com>');
  await say('RCPT TO:<ada@example.com>');
  await say('DATA');
  await say(`${source.replaceAll('\n', '\r\n')}\r\n.`);
  socket.end('QUIT\r\n');
  await once(socket, 'close');
}

/** Opens a page as the browser does after the person opened the URL with the secret. */
async function open(path: string): Promise<Response> {
  const first = await fetch(inbox.secretUrl);
  expect(first.status).toBe(200);
  return fetch(inbox.url + path, {
    headers: { cookie: first.headers.get('set-cookie')?.split(';')[0] ?? '' },
  });
}

const HTML_MAIL = `From: tollgate@example.com
To: ada@example.com
Subject: <Hello>
Message-ID: <1@example.com>
Content-Type: text/html

<script>alert(1)</script><p>Open https://pay.example.com/join/abc</p>`;

it('the mail inbox shows each mail, whatever its address, and runs nothing in it', async () => {
  await send(HTML_MAIL);
  expect(inbox.list()).toMatchObject([
    { to: ['ada@example.com'], subject: '<Hello>', messageId: '<1@example.com>' },
  ]);
  const list = await (await open('/')).text();
  expect(list).toContain('<a href="/mails/1"><strong>&lt;Hello&gt;</strong>');
  const response = await open('/mails/1');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  const page = await response.text();
  expect(page).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
  expect(page).not.toContain('<script>');
});

it.each(['/', '/mails.json', '/mails/1', '/?secret=', '/?secret=0000000000000000000000'])(
  'the mail inbox shows nothing at %s without its secret',
  async (path) => {
    const response = await fetch(inbox.url + path);
    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
    expect(await response.text()).toContain('Open the inbox by the URL that npm start printed');
  },
);

it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])(
  'the mail inbox rejects %s, also with its secret',
  async (method) => {
    const response = await fetch(inbox.secretUrl, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  },
);

it('the mail inbox is not found under a host name that a page of another site chose', async () => {
  const { port } = new URL(inbox.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.end('GET / HTTP/1.1\r\nHost: evil.example.com\r\nConnection: close\r\n\r\n');
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1.1 404/);
});

it('the mail inbox returns 404 for a mail that does not exist', async () => {
  expect((await open('/mails/99')).status).toBe(404);
});
