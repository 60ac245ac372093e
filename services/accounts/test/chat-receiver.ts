import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ChatResponse {
  status: number;
  body?: string;
  headers?: Record<string, string>;
}

/** An incoming webhook of a chat, as a server on this machine. */
export interface ChatReceiver {
  url: string;
  /** The texts that were posted, in order. */
  posted: string[];
  /** Posts without a response, on connections that are open. */
  open: number;
  /** The most of them at a time. */
  mostOpen: number;
  /** The response to the next posts; `hang` never responds. */
  respondWith: ChatResponse | 'hang';
  /** Breaks its connections. */
  stop(): Promise<void>;
  /** Listens again at the same URL. */
  start(): Promise<void>;
}

const OK: ChatResponse = { status: 200, body: 'ok' };

export async function startChatReceiver(): Promise<ChatReceiver> {
  let server: Server;
  let port = 0;
  const receiver: ChatReceiver = {
    url: '',
    posted: [],
    open: 0,
    mostOpen: 0,
    respondWith: OK,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    async start() {
      server = createServer(async (request, response) => {
        receiver.posted.push(((await json(request)) as { text: string }).text);
        receiver.open += 1;
        receiver.mostOpen = Math.max(receiver.mostOpen, receiver.open);
        response.once('close', () => {
          receiver.open -= 1;
        });
        if (receiver.respondWith === 'hang') return;
        const { status, body, headers } = receiver.respondWith;
        response.writeHead(status, headers).end(body);
      });
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      port = (server.address() as AddressInfo).port;
      receiver.url = `http://127.0.0.1:${port}/services/T0/B0/secret-of-the-chat`;
    },
  };
  await receiver.start();
  return receiver;
}
