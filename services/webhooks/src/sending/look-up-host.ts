import { lookup, Resolver } from 'node:dns/promises';
import type { Environment } from '@tollgate/contracts/environment';

/** Every address of a host name. Rejects when there is none, or no server responds. */
export type Lookup = (hostname: string, environment: Environment) => Promise<string[]>;

/** Of one question to one name server; the second try waits for twice as long. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** The name exists and has no address of this kind. */
const NO_ADDRESS = 'ENODATA';

/**
 * Name servers are asked directly. The look-up of the operating system (getaddrinfo) takes one of libuv's few threads for as long as a name server stays
 * silent: the owner of the name servers for a handful of names could then hold up the look-ups of every other endpoint. Only a sandbox that may reach this machine
 * uses that one, because the names of a developer's machine are in its hosts file.
 */
export function createLookup({
  allowPrivateInSandbox,
  servers,
}: {
  allowPrivateInSandbox: boolean;
  /** Instead of those that the host is configured with; for tests. */
  servers?: string[];
}): Lookup {
  return (hostname, environment) =>
    environment === 'sandbox' && allowPrivateInSandbox
      ? systemLookup(hostname)
      : askNameServers(hostname, servers);
}

export async function systemLookup(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

async function askNameServers(hostname: string, servers: string[] | undefined): Promise<string[]> {
  // A new one each time, so that a changed configuration of the host is taken up.
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  throw failures.find(({ code }) => code !== NO_ADDRESS) ?? failures[0];
}
