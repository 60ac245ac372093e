import type { Environment } from '@tollgate/contracts/platform/environment';
import type { AddressPolicy } from './address-policy.ts';
import type { Lookup } from './look-up-host.ts';
import { literalAddress } from './url-form.ts';

/** The address policy does not allow the address. No connection was opened. */
export class AddressRejected extends Error {
  readonly address: string;
  readonly reason: string;

  constructor(hostname: string, address: string, reason: string) {
    super(
      hostname === address
        ? `Sending to ${address} is not allowed: ${reason}.`
        : `Sending to ${hostname}, which resolves to ${address}, is not allowed: ${reason}.`,
    );
    this.name = 'AddressRejected';
    this.address = address;
    this.reason = reason;
  }
}

/** Live endpoints must not use the protocol or port. No connection was opened. */
export class TransportRejected extends Error {
  constructor(origin: string, reason: string) {
    super(`Sending to ${origin} is not allowed: in the live environment ${reason}.`);
    this.name = 'TransportRejected';
  }
}

export class HostNotFound extends Error {
  /** True when the name does not exist, false when the resolver is unavailable. */
  readonly isCertain: boolean;

  constructor(hostname: string, cause: unknown) {
    super(`The host ${hostname} could not be resolved.`, { cause });
    this.name = 'HostNotFound';
    this.isCertain = (cause as { code?: unknown } | undefined)?.code === 'ENOTFOUND';
  }
}

/**
 * Resolves a URL's host to its addresses. Rejects the host if the policy does not allow one of them, because the name server
 * decides which one a connection would use.
 *
 * @throws AddressRejected, HostNotFound
 */
export async function resolveAllowed(
  { hostname, port }: { hostname: string; port: number },
  environment: Environment,
  { policy, lookup }: { policy: AddressPolicy; lookup: Lookup },
): Promise<string[]> {
  const literal = literalAddress(hostname);
  const addresses = literal === null ? await lookUp(hostname, environment, lookup) : [literal];
  for (const address of addresses) {
    const reason = policy.rejectionOf(address, environment, port);
    if (reason !== null) throw new AddressRejected(literal ?? hostname, address, reason);
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
