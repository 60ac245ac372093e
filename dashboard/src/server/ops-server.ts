import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface OpsServer {
  url: string;
  stop(): Promise<void>;
}

/** `/healthz` (the process runs), `/readyz` (503 while it should get no requests) and `/metrics`, on a port of their own. */
export async function startOpsServer(options: {
  host: string;
  port: number;
  isReady: () => boolean;
  registry: Registry;
}): Promise<OpsServer> {
  const { registry } = options;
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    switch (request.url) {
      case '/healthz':
        return answer(200, { status: 'ok' });
      case '/readyz':
        return options.isReady()
          ? answer(200, { status: 'ready' })
          : answer(503, { status: 'not ready', reasons: ['it is starting or stopping'] });
      case '/metrics':
        return response
          .writeHead(200, { 'content-type': registry.contentType })
          .end(await registry.metrics());
      default:
        return answer(404, { status: 'not found' });
    }
  });
  await listen(server, options.port, options.host);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Resolves when it listens; rejects when the port is taken. */
export function listen(server: ReturnType<typeof createServer>, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
