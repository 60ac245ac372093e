/** Receivers of the benches, by the number that ends the path: the first are silent, the next drip, the others return 204 after a latency. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const [silent = 0, dripping = 0, latencyMs = 0] = process.argv.slice(2).map(Number);
const latenciesMs: number[] = [];
const inFlight = new Map<number, number>();
let received = 0;
let mostPerEndpoint = 0;
let mostBad = 0;
let longestDripMs = 0;

const server = createServer((request, response) => {
  const index = Number(request.url?.slice(1));
  const now = (inFlight.get(index) ?? 0) + 1;
  inFlight.set(index, now);
  mostPerEndpoint = Math.max(mostPerEndpoint, request.headers['webhook-id'] === 'bare' ? 0 : now);
  let bad = 0;
  for (let other = 0; other < silent + dripping; other += 1) bad += inFlight.get(other) ?? 0;
  mostBad = Math.max(mostBad, bad);
  response.on('close', () => inFlight.set(index, (inFlight.get(index) ?? 1) - 1));
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    received += 1;
    if (index < silent) return;
    if (index < silent + dripping) return drip(response);
    if (latencyMs > 0) await delay(latencyMs);
    response.writeHead(204).end();
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp?: string };
    if (timestamp !== undefined) latenciesMs.push(Date.now() - Date.parse(timestamp));
  });
});

function drip(response: ServerResponse): void {
  const startedAt = performance.now();
  response.writeHead(200);
  const dripping = setInterval(() => response.write('.'), 1_000);
  response.on('close', () => {
    clearInterval(dripping);
    longestDripMs = Math.max(longestDripMs, performance.now() - startedAt);
  });
}

process.on('message', () => {
  process.send?.({ latenciesMs, received, mostPerEndpoint, mostBad, longestDripMs });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
