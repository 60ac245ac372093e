import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Ports of the loopback interface that nothing listens on. All are held open until the last is found, so that they differ.
 * They are free when this returns, and nothing reserves them: use them soon.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(
    servers.map(async (server) => {
      server.listen({ port: 0, host: '127.0.0.1' });
      await once(server, 'listening');
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(async (server) => once(server.close(), 'close')));
  return ports;
}

export async function findFreePort(): Promise<number> {
  const [port] = await findFreePorts(1);
  if (port === undefined) throw new Error('No free port was found.');
  return port;
}
