import { createServer, type Server, type Socket } from 'node:net';
import { type Respond, serveConnection } from './connection.ts';
import type { ConnectionState } from './connection-state.ts';
import type { WireRequest } from './request.ts';

/** How long a client may take to read its last answers when the server stops. */
const CLOSE_TIMEOUT_MS = 1000;

export interface WireServer {
  port: number;
  /** Stops listening and ends all connections. */
  close(): Promise<void>;
}

export interface WireServerOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Gives a promise where the connection's next request has to wait for it. */
  handle: (request: WireRequest, connection: ConnectionState, respond: Respond) => Promise<void> | undefined;
}

/** Listens for MongoDB's wire protocol. Rejects with the system's error when the port cannot be had. */
export async function listen({ host, port, handle }: WireServerOptions): Promise<WireServer> {
  const sockets = new Set<Socket>();
  let lastConnectionId = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    lastConnectionId += 1;
    const connection: ConnectionState = {
      id: lastConnectionId,
      remoteAddress: `${socket.remoteAddress}:${socket.remotePort}`,
      user: undefined,
      conversation: undefined,
    };
    serveConnection(socket, (request, respond) => handle(request, connection, respond));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { port: portOf(server), close: () => close(server, sockets) };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no TCP port');
  return address.port;
}

function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // What is written already goes out before the end.
    for (const socket of sockets) socket.destroySoon();
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, CLOSE_TIMEOUT_MS).unref();
  });
}
