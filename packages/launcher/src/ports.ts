import { once } from 'node:events';
import { createServer } from 'node:net';
import { LauncherFailure } from './launcher-failure.ts';

export interface NamedPort {
  port: number;
  /** Environment variable that sets the port. */
  variable: string;
  /** Purpose of the port, for the error. */
  purpose: string;
}

/**
 * Checks the ports before anything starts.
 * @throws LauncherFailure with every unavailable port and its variable
 */
export async function requireFreePorts(ports: NamedPort[]): Promise<void> {
  const problems: string[] = [];
  for (const named of ports) {
    const problem = await whyNotUsable(named.port);
    if (problem === null) continue;
    problems.push(
      `Port ${named.port} (${named.purpose}) ${problem}. Choose another: ${named.variable}=${suggest(named.port)} npm start`,
    );
  }
  if (problems.length > 0) throw new LauncherFailure(problems.join('\n'));
}

async function whyNotUsable(port: number): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ port, host: '127.0.0.1' });
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') return 'is in use by another program';
    if (code === 'EACCES') return 'requires additional privileges';
    return `cannot be used (${code})`;
  }
}

function suggest(port: number): number {
  return port < 1024 ? port + 8000 : port + 1000 < 65_536 ? port + 1000 : port - 1000;
}
