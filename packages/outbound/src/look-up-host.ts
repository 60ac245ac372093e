import { lookup, Resolver } from 'node:dns/promises';
import type { Environment } from '@tollgate/contracts/platform/environment';

/** Resolves a host name to all its addresses. Rejects when there is none, or when no name server responds. */
export type Lookup = (hostname: string, environment: Environment) => Promise<string[]>;

/** The time for the first try of a query to a name server. The second try waits twice as long. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** The name exists and has no address of this kind. */
const NO_ADDRESS = 'ENODATA';

/**
 * Queries name servers directly. The lookup of the operating system (getaddrinfo) blocks one of libuv's few threads until the name
 * server responds, so a few silent name servers could delay the lookups of all other endpoints. Only a sandbox that allows private
 * networks uses it, because the names of a developer's machine are in its hosts file.
 */
export function createLookup({
  allowPrivateInSandbox,
  servers,
  timeoutMs = TIMEOUT_MS,
}: {
  allowPrivateInSandbox: boolean;
  /** Replaces the host's name servers; for tests. */
  servers?: string[];
  timeoutMs?: number;
}): Lookup {
  return (hostname, environment) =>
    environment === 'sandbox' && allowPrivateInSandbox
      ? systemLookup(hostname)
      : askNameServers(hostname, servers, timeoutMs);
}

export async function systemLookup(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

async function askNameServers(
  hostname: string,
  servers: string[] | undefined,
  timeoutMs: number,
): Promise<string[]> {
  // A new resolver each time reads the current configuration of the host.
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const responses = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = responses.flatMap((response) => (response.status === 'fulfilled' ? response.value : []));
  if (addresses.length > 0) return addresses;
  const failures = responses.flatMap((response) => (response.status === 'rejected' ? [response.reason] : []));
  throw failures.find(({ code }) => code !== NO_ADDRESS) ?? failures[0];
}
