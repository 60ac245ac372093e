import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Far above what a probe takes: a target on a busy machine is slow, and not down. */
const PROBE_TIMEOUT_MS = 5_000;

const RELAYED_HEADERS = ['authorization', 'content-type', 'idempotency-key'];

/** A load balancer with a health check, as an operator runs it in front of gateways. */
export interface Balancer {
  url: string;
  /** Addresses that passed the latest health check. */
  healthy(): string[];
  stop(): Promise<void>;
}

/** Sends each request, once, to one of the targets in turn whose `/readyz` returns 200. */
export async function startBalancer(
  targets: string[],
  { intervalMs }: { intervalMs: number },
): Promise<Balancer> {
  const healthy = new Set<string>();
  let turn = 0;

  async function isHealthy(target: string): Promise<boolean> {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    return fetch(`${target}/readyz`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
  }
  async function check(): Promise<void> {
    await Promise.all(
      targets.map(async (target) => {
        if (await isHealthy(target)) healthy.add(target);
        else healthy.delete(target);
      }),
    );
  }
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = [...healthy][turn++ % healthy.size];
    if (target === undefined) {
      response.writeHead(503).end('{"code":"no-healthy-target"}');
      return;
    }
    const headersToTarget = RELAYED_HEADERS.flatMap((name): [string, string][] => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    const relayed = await fetch(new URL(request.url ?? '/', target), {
      method: request.method ?? 'GET',
      headers: headersToTarget,
      body: request.method === 'POST' ? Buffer.concat(await request.toArray()) : null,
    });
    const headers = { 'content-type': String(relayed.headers.get('content-type')) };
    response.writeHead(relayed.status, headers).end(await relayed.text());
  }

  const server = createServer((request, response) => {
    forward(request, response).catch((error: Error) =>
      response.writeHead(502).end(JSON.stringify(error.message)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await check();
  const timer = setInterval(() => void check(), intervalMs);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    healthy: () => [...healthy],
    async stop() {
      clearInterval(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
