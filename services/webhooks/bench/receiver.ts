/** Receiver of the bench: responds with 204 after a latency, and reports how many requests it received, and how many at once. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const latencyMs = Number(process.argv[2]);
let received = 0;
let inFlight = 0;
let mostInFlight = 0;

const server = createServer((request, response) => {
  inFlight += 1;
  mostInFlight = Math.max(mostInFlight, inFlight);
  response.on('close', () => {
    inFlight -= 1;
  });
  request.resume();
  request.on('end', () => {
    received += 1;
    setTimeout(() => response.writeHead(204).end(), latencyMs);
  });
});

process.on('message', () => process.send?.({ received, mostInFlight }));
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
