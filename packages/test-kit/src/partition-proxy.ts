import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface PartitionProxy {
  /** The address of the server, through the proxy. */
  url: string;
  /** `silent`: no byte passes, and connections stay open, as behind a firewall; `closed`: connections are closed and rejected. */
  partition(how: 'silent' | 'closed'): void;
  heal(): void;
  stop(): Promise<void>;
}

/** A TCP proxy that can separate a client from a server. */
export async function startPartitionProxy(serverUrl: string): Promise<PartitionProxy> {
  const { hostname, port } = new URL(serverUrl);
  const open = new Set<Socket>();
  const waiting = new Set<Socket>();
  let state: 'whole' | 'silent' | 'closed' = 'whole';

  function join(client: Socket): void {
    const server = connect(Number(port), hostname);
    track(server);
    pipe(client, server);
    pipe(server, client);
  }
  /** `pipe` of Node resumes a paused socket by itself. */
  function pipe(from: Socket, to: Socket): void {
    from.on('data', (chunk: Buffer) => to.write(chunk));
    from.on('close', () => to.destroy());
  }
  function track(socket: Socket): void {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  }

  const server = createServer((client) => {
    if (state === 'closed') return client.destroy();
    track(client);
    if (state === 'whole') return join(client);
    waiting.add(client);
    return client.on('close', () => waiting.delete(client));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    partition(how) {
      state = how;
      for (const socket of open) {
        if (how === 'silent') socket.pause();
        else socket.destroy();
      }
    },
    heal() {
      state = 'whole';
      for (const socket of open) socket.resume();
      for (const client of waiting) join(client);
      waiting.clear();
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
