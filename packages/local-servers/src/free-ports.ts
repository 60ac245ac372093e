import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Below the ports that Linux (32768–60999) and macOS (49152–65535) assign to outgoing connections and to `listen(0)`,
 * so that the operating system does not assign a port between the search and its use.
 */
const FIRST_PORT = 20_000;
const PORT_COUNT = 12_000;

/**
 * Finds unused ports of the loopback interface. All stay open until the last is found, so that they differ. They are
 * not reserved afterwards: use them soon.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const held: { port: number; server: Server }[] = [];
  while (held.length < count) {
    const port = FIRST_PORT + randomInt(PORT_COUNT);
    const server = await listenOn(port);
    if (server !== null) held.push({ port, server });
  }
  await Promise.all(held.map(({ server }) => once(server.close(), 'close')));
  return held.map(({ port }) => port);
}

/** Null if the port is in use. */
async function listenOn(port: number): Promise<Server | null> {
  const server = createServer().listen({ port, host: '127.0.0.1' });
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null;
    throw error;
  }
}

export async function findFreePort(): Promise<number> {
  const [port] = await findFreePorts(1);
  if (port === undefined) throw new Error('No free port was found.');
  return port;
}
