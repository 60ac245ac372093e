import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inboxPage, mailPage } from './inbox-page.ts';
import { startMailReceiver } from './mail-receiver.ts';
import type { ReceivedMail } from './received-mail.ts';

/** More than a person reads; the inbox is in memory. */
const MAX_MAILS = 1_000;

export interface MailInbox {
  /** Where to send mails to. */
  smtpUrl: string;
  /** Where a person reads them. */
  url: string;
  /** The newest first. */
  list(): readonly ReceivedMail[];
  stop(): Promise<void>;
}

/**
 * A mail server with a page that shows what it received, for development and tests. Both listen on this machine only: the mails
 * contain links that open accounts.
 */
export async function startMailInbox(ports: { smtp: number; http: number }): Promise<MailInbox> {
  const mails: ReceivedMail[] = [];
  let received = 0;
  const receiver = await startMailReceiver(ports.smtp, (mail) => {
    received += 1;
    mails.unshift({ ...mail, number: received });
    mails.length = Math.min(mails.length, MAX_MAILS);
  });
  const server = createServer(servePages(mails));
  server.listen(ports.http, '127.0.0.1');
  await once(server, 'listening');
  return {
    smtpUrl: receiver.url,
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    list: () => mails,
    async stop() {
      server.closeAllConnections();
      server.close();
      await Promise.all([once(server, 'close'), receiver.stop()]);
    },
  };
}

function servePages(mails: readonly ReceivedMail[]): RequestListener {
  return ({ url = '/', headers }, response) => {
    // A page of another site must not read mails by a name that it resolves to this machine.
    const isLocal = /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(headers.host ?? '');
    const page = isLocal ? pageAt(url, mails) : null;
    if (page === null) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
      return;
    }
    response.writeHead(200, { ...HEADERS, 'content-type': page.type }).end(page.body);
  };
}

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
};

/** `/mails.json` is for scripts. */
function pageAt(url: string, mails: readonly ReceivedMail[]): { type: string; body: string } | null {
  const type = 'text/html; charset=utf-8';
  if (url === '/') return { type, body: inboxPage(mails) };
  if (url === '/mails.json') return { type: 'application/json', body: JSON.stringify(mails) };
  const number = /^\/mails\/(\d+)$/.exec(url)?.[1];
  const mail = mails.find((each) => each.number === Number(number));
  return mail ? { type, body: mailPage(mail) } : null;
}
