import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The least receiver of webhooks, as a process of its own: responds with 204 to every request. It sends its address at
 * the start. After a number arrives as a message, it responds to it with the time at which that many more requests
 * had been received, in milliseconds since the epoch.
 */
let wanted = Number.POSITIVE_INFINITY;
let received = 0;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(204).end();
    received += 1;
    if (received === wanted) process.send?.(performance.timeOrigin + performance.now());
  });
});

process.on('message', (count: number) => {
  received = 0;
  wanted = count;
});
process.on('disconnect', () => process.exit());
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
