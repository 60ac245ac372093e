import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KEEP_ALIVE_MS } from '@tollgate/http/keep-alive';
import { inboxPage, mailPage } from './inbox-page.ts';
import { startMailReceiver } from './mail-receiver.ts';
import type { ReceivedMail } from './received-mail.ts';

/** More than a person reads; the inbox is in memory. */
const MAX_MAILS = 1_000;

export interface MailInbox {
  /** Where to send mails to. */
  smtpUrl: string;
  /** Where a person reads them, after opening `secretUrl` once in the browser. */
  url: string;
  /** Opens the inbox, for the person at this machine only. */
  secretUrl: string;
  /** The newest first. */
  list(): readonly ReceivedMail[];
  stop(): Promise<void>;
}

/**
 * A mail server with a page that shows what it received, for development and tests. Both listen on this machine only, and the page
 * requires a secret: the mails contain links that open accounts, and other programs of this machine send requests for others.
 */
export async function startMailInbox(ports: { smtp: number; http: number }): Promise<MailInbox> {
  const mails: ReceivedMail[] = [];
  let received = 0;
  const receiver = await startMailReceiver(ports.smtp, (mail) => {
    received += 1;
    mails.unshift({ ...mail, number: received });
    mails.length = Math.min(mails.length, MAX_MAILS);
  });
  const secret = randomBytes(16).toString('base64url');
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, servePages(mails, secret));
  server.listen(ports.http, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    smtpUrl: receiver.url,
    url,
    secretUrl: `${url}/?secret=${secret}`,
    list: () => mails,
    async stop() {
      server.closeAllConnections();
      server.close();
      await Promise.all([once(server, 'close'), receiver.stop()]);
    },
  };
}

interface Reply {
  status: number;
  type: string;
  body: string;
}

function servePages(mails: readonly ReceivedMail[], secret: string): RequestListener {
  return (request, response) => {
    const { status, type, body } = replyTo(request, mails, secret);
    if (status === 200)
      response.setHeader('set-cookie', `${COOKIE}=${secret}; HttpOnly; SameSite=Strict; Path=/`);
    if (status === 405) response.setHeader('allow', 'GET, HEAD');
    response.writeHead(status, { ...HEADERS, 'content-type': type }).end(body);
  };
}

const COOKIE = 'tollgate_inbox';
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
};

function replyTo(request: IncomingMessage, mails: readonly ReceivedMail[], secret: string): Reply {
  const url = URL.parse(request.url ?? '/', 'http://localhost');
  // A page of another site must not read mails by a name that it resolves to this machine.
  if (!url || !/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? '')) return NOT_FOUND;
  if (request.method !== 'GET' && request.method !== 'HEAD') return text(405, 'Method not allowed');
  const given = url.searchParams.get('secret') ?? secretOfCookie(request);
  if (!isEqual(given, secret)) {
    return text(403, 'Open the inbox by the URL that npm start printed. It is also in quickstart.json.');
  }
  return pageAt(url.pathname, mails);
}

/** The browser has it once it has opened the inbox with its secret, so that the links to the inbox need none. */
function secretOfCookie({ headers }: IncomingMessage): string {
  return new RegExp(`(?:^|; )${COOKIE}=([^;]*)`).exec(headers.cookie ?? '')?.[1] ?? '';
}

function isEqual(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** `/mails.json` is for scripts. */
function pageAt(path: string, mails: readonly ReceivedMail[]): Reply {
  if (path === '/') return html(inboxPage(mails));
  if (path === '/mails.json') return { status: 200, type: 'application/json', body: JSON.stringify(mails) };
  const number = /^\/mails\/(\d+)$/.exec(path)?.[1];
  const mail = mails.find((each) => each.number === Number(number));
  return mail ? html(mailPage(mail)) : NOT_FOUND;
}

const NOT_FOUND = text(404, 'Not found');

function text(status: number, line: string): Reply {
  return { status, type: 'text/plain', body: `${line}\n` };
}

function html(body: string): Reply {
  return { status: 200, type: 'text/html; charset=utf-8', body };
}
