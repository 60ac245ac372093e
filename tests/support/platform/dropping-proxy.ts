import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DroppingProxy {
  url: string;
  /** Responses that were not passed on. */
  dropped(): number;
  stop(): Promise<void>;
}

/**
 * An HTTP proxy that reads the whole response of the upstream, and then resets the connection to the client if the response is
 * dropped: the upstream has processed the request, and the client cannot know.
 */
export async function startDroppingProxy(
  upstreamUrl: string,
  isDropped: (method: string) => boolean,
): Promise<DroppingProxy> {
  let dropped = 0;

  function forward(received: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', headers } = received;
    const sent = request(new URL(received.url ?? '/', upstreamUrl), { method, headers }, async (upstream) => {
      const chunks = await upstream.toArray().catch(() => null);
      if (chunks === null || isDropped(method)) {
        dropped += 1;
        received.socket.resetAndDestroy();
        return;
      }
      response.writeHead(upstream.statusCode ?? 502, upstream.headers).end(Buffer.concat(chunks));
    });
    sent.on('error', () => received.socket.destroy());
    received.pipe(sent);
  }

  const server = createServer(forward);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    dropped: () => dropped,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
