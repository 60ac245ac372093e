import type { Environment } from '@tollgate/contracts/environment';
import { Agent, buildConnector } from 'undici';
import type { AddressPolicy } from './address-policy.ts';
import type { Lookup } from './look-up-host.ts';
import { resolveAllowed, TransportRejected } from './resolve-host.ts';
import { literalAddress, transportRejection } from './url-form.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

/**
 * Connects only to addresses that the policy allows. The connection goes to the exact address that was checked, which prevents DNS
 * rebinding. A `lookup` option would not be enough: it is not called for literal addresses.
 */
export function createCheckedAgent(options: {
  environment: Environment;
  policy: AddressPolicy;
  lookup: Lookup;
  /** Additional trusted certificates; for tests. */
  ca?: string;
}): Agent {
  const { environment, ca } = options;
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    // Only the first address is tried: one connection to one checked address.
    autoSelectFamily: false,
    ...(ca !== undefined && { ca }),
  });
  return new Agent({
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect(wanted, callback) {
      const rejection = transportRejection(wanted, environment);
      if (rejection !== null) {
        callback(
          new TransportRejected(`${wanted.protocol}//${wanted.hostname}:${wanted.port}`, rejection),
          null,
        );
        return;
      }
      resolveAllowed(wanted, environment, options).then(
        (addresses) => connect(connectionTo(preferIPv4(addresses), wanted), callback),
        (error: Error) => callback(error, null),
      );
    },
  });
}

function connectionTo(address: string, wanted: buildConnector.Options): buildConnector.Options {
  const { servername: _, ...rest } = wanted;
  const isNamedTls = wanted.protocol === 'https:' && literalAddress(wanted.hostname) === null;
  // The certificate is verified for the name, not for the address (RFC 9110 §4.3.4).
  return {
    ...rest,
    hostname: address,
    ...(isNamedTls && { servername: wanted.hostname.replace(/\.$/, '') }),
  };
}

/** IPv4 first: hosts that announce IPv6 but do not serve it are far more common than the reverse. */
function preferIPv4(addresses: string[]): string {
  return addresses.find((address) => !address.includes(':')) ?? (addresses[0] as string);
}
