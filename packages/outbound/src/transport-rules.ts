import { isIP } from 'node:net';
import type { Environment } from '@tollgate/contracts/environment';

/** Ports for HTTPS. Services on other ports speak other protocols, and a request could be crafted for them. */
const LIVE_PORTS = new Set(['', '443', '8443']);

/** Why the environment does not allow this protocol and port; null when it does. */
export function transportRejection(
  { protocol, port }: { protocol: string; port: string },
  environment: Environment,
): string | null {
  if (environment !== 'live') return null;
  if (protocol !== 'https:') return 'it must use https';
  return LIVE_PORTS.has(port) ? null : 'it must use port 443 or 8443';
}

/** The IP address if the URL's host is one, in any notation; null when the host is a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}
