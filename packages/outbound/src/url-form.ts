import { isIP } from 'node:net';
import type { Environment } from '@tollgate/contracts/platform/environment';

/** Ports for HTTPS. Services on other ports speak other protocols, and a request could be crafted for them. */
const LIVE_PORTS = new Set(['', '443', '8443']);

const PROTOCOL_REJECTIONS: Record<Environment, string> = {
  live: 'This must be a complete URL that starts with https://.',
  sandbox: 'This must be a complete URL that starts with https:// or http://.',
};

/** Why the form of a URL rules it out for requests, apart from its protocol and port; null when it is valid. */
export function formRejection(text: string, environment: Environment): string | null {
  const url = URL.parse(text);
  // The parser strips line breaks and tabs, and reads backslashes as slashes: the parsed URL would differ from the written one.
  if (/[\s\\]/.test(text)) return 'This must not contain spaces or backslashes.';
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return PROTOCOL_REJECTIONS[environment];
  if (url.username !== '' || url.password !== '') return 'This must not contain a user or password.';
  if (url.hash !== '') return 'This must not have a fragment: a fragment is not sent.';
  if (url.hostname.replace(/\.$/, '') === '') return 'This must have a host.';
  return null;
}

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
