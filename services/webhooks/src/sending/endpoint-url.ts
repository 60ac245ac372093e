import { isIP } from 'node:net';
import type { Environment } from '@tollgate/contracts/environment';

/** Where HTTPS lives. Other ports of a host speak other protocols, which a request could be made to speak to. */
const LIVE_PORTS = new Set(['', '443', '8443']);

/** Why a URL cannot be an endpoint's, by its form alone; null when it can. What its host resolves to is judged by the address policy. */
export function urlRefusal(text: string, environment: Environment): string | null {
  const url = URL.parse(text);
  // The parser strips line ends and tabs, and takes back slashes for slashes: what was read would not be what was written.
  if (!url || /[\s\\]/.test(text)) return 'This must be an absolute URL.';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'This must be an https URL.';
  if (url.username !== '' || url.password !== '') return 'This must not contain a user or password.';
  if (url.hash !== '') return 'This must not have a fragment: it would not be sent.';
  const transport = transportRefusal(url, environment);
  if (transport !== null) return `In live ${transport}.`;
  if (url.hostname.replace(/\.$/, '') === '') return 'This must have a host.';
  return null;
}

/** Why nothing may be sent over this protocol to this port; null when it may. */
export function transportRefusal(
  { protocol, port }: { protocol: string; port: string },
  environment: Environment,
): string | null {
  if (environment !== 'live') return null;
  if (protocol !== 'https:') return 'it must be https';
  return LIVE_PORTS.has(port) ? null : 'the port must be 443 or 8443';
}

/** The IP address that a URL's host is, in whatever notation it was written; null when the host is a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}
