export interface NatsAddress {
  /** `host:port`, one per server of the cluster. */
  servers: string[];
  user: string | undefined;
  password: string | undefined;
  tls: boolean;
}

const DEFAULT_PORT = '4222';
const SCHEMES: Record<string, { tls: boolean }> = { 'nats:': { tls: false }, 'tls:': { tls: true } };

/**
 * Parses `nats://user:password@host:4222`, or several comma-separated URLs for a cluster; `tls://` requires TLS. The
 * NATS client does not support credentials in URLs: it would read a numeric password as the port. Errors never contain
 * the text, because it may include a password.
 */
export function parseNatsUrl(text: string): NatsAddress {
  const urls = text.split(',').map((part) => parseOne(part.trim()));
  const first = urls[0];
  if (first === undefined) throw invalid('it is empty');
  if (urls.some((url) => url.protocol !== first.protocol)) throw invalid('all servers need the same scheme');
  if (urls.some((url) => url.username !== first.username || url.password !== first.password)) {
    throw invalid('all servers need the same user and password');
  }
  return {
    servers: urls.map((url) => `${url.hostname}:${url.port || DEFAULT_PORT}`),
    user: first.username === '' ? undefined : decodeURIComponent(first.username),
    password: first.password === '' ? undefined : decodeURIComponent(first.password),
    tls: SCHEMES[first.protocol]?.tls === true,
  };
}

function parseOne(text: string): URL {
  const url = URL.parse(text);
  if (url === null || url.hostname === '') throw invalid('it is not a URL with a host');
  if (SCHEMES[url.protocol] === undefined) throw invalid('its scheme must be nats or tls');
  return url;
}

function invalid(reason: string): Error {
  return new Error(`The NATS address is not valid: ${reason}. Write it as nats://user:password@host:4222.`);
}
