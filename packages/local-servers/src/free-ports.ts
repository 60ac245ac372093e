import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that Linux (32768–60999) and macOS (49152–65535) assign to outgoing connections and to `listen(0)`,
 * so that the operating system does not assign a port between the search and its use.
 */
const FIRST_PORT = 20_000;
const PORT_COUNT = 12_000;
const HOST = '127.0.0.1';

/** Finds TCP ports of the loopback interface that no server uses, and that no other search finds while this process runs. */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = FIRST_PORT + randomInt(PORT_COUNT);
    if ((await reserve(port)) && (await isFree(port))) ports.push(port);
  }
  return ports;
}

export async function findFreePort(): Promise<number> {
  const [port] = await findFreePorts(1);
  if (port === undefined) throw new Error('No free port was found.');
  return port;
}

/**
 * Holds the UDP port of the same number until the process ends. It leaves the TCP port to the server that will use it,
 * and tells searches of other processes that the port is taken.
 */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  return isBound(socket.bind({ port, address: HOST, exclusive: true }));
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen({ port, host: HOST });
  if (!(await isBound(server))) return false;
  await once(server.close(), 'close');
  return true;
}

/** False if the port is in use. */
async function isBound(emitter: NodeJS.EventEmitter): Promise<boolean> {
  try {
    await once(emitter, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}
