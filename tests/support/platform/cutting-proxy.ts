import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  url: string;
  /** Closes the connection that carries the next bytes of a response, in the middle of them. */
  cutNext(): void;
  stop(): Promise<void>;
}

/** A proxy between a client and an HTTP server that can cut a connection in the middle of a response. */
export async function startCuttingProxy(upstreamUrl: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(upstreamUrl);
  const open = new Set<Socket>();
  let isCutting = false;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      if (!isCutting) return client.write(chunk);
      isCutting = false;
      client.end(chunk.subarray(0, chunk.length / 2));
      return upstream.destroy();
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroySoon();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutNext() {
      isCutting = true;
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
