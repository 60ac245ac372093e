import type { Environment } from '@tollgate/contracts/environment';
import type { AddressPolicy } from './address-policy.ts';
import { literalAddress } from './endpoint-url.ts';
import type { Lookup } from './look-up-host.ts';

/** The address policy forbids to send there. Nothing was connected to. */
export class AddressRefused extends Error {
  readonly address: string;
  readonly reason: string;

  constructor(hostname: string, address: string, reason: string) {
    super(
      hostname === address
        ? `Nothing is sent to ${address}: ${reason}.`
        : `Nothing is sent to ${hostname}, which resolves to ${address}: ${reason}.`,
    );
    this.name = 'AddressRefused';
    this.address = address;
    this.reason = reason;
  }
}

/** The protocol or port is not one that live endpoints have. Nothing was connected to. */
export class TransportRefused extends Error {
  constructor(origin: string, reason: string) {
    super(`Nothing is sent to ${origin}: in live ${reason}.`);
    this.name = 'TransportRefused';
  }
}

export class HostNotFound extends Error {
  /** The name does not exist, as opposed to a resolver that is out of reach. */
  readonly isCertain: boolean;

  constructor(hostname: string, cause: unknown) {
    super(`The host ${hostname} could not be resolved.`, { cause });
    this.name = 'HostNotFound';
    this.isCertain = (cause as { code?: unknown } | undefined)?.code === 'ENOTFOUND';
  }
}

/**
 * The addresses of a URL's host, all of them allowed. One that is not makes the host rejected: which of them a connection would
 * get is the choice of the name's owner.
 *
 * @throws AddressRefused, HostNotFound
 */
export async function resolveAllowed(
  hostname: string,
  environment: Environment,
  { policy, lookup }: { policy: AddressPolicy; lookup: Lookup },
): Promise<string[]> {
  const literal = literalAddress(hostname);
  const addresses = literal === null ? await lookUp(hostname, environment, lookup) : [literal];
  for (const address of addresses) {
    const reason = policy.refusalOf(address, environment);
    if (reason !== null) throw new AddressRefused(literal ?? hostname, address, reason);
  }
  return addresses;
}

async function lookUp(hostname: string, environment: Environment, lookup: Lookup): Promise<string[]> {
  let addresses: string[];
  try {
    addresses = await lookup(hostname, environment);
  } catch (error) {
    throw new HostNotFound(hostname, error);
  }
  if (addresses.length === 0) throw new HostNotFound(hostname, undefined);
  return addresses;
}
