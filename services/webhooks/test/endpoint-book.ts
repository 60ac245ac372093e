import type { IncomingHttpHeaders } from 'node:http';
import { isId } from '@tollgate/contracts/ids';
import { Webhook } from 'standardwebhooks';

interface KnownEndpoint {
  urls: Set<string>;
  secrets: Set<string>;
}

/**
 * What the requests and replies of a test file have said of its endpoints, for its receivers: they take nothing that the official library does not verify
 * with a secret of an endpoint of that URL.
 */
const known = new Map<string, KnownEndpoint>();
let clock: { now(): number } = Date;

/** Signatures are made, and their age is judged, by this clock. */
export function judgeAgeBy(other: { now(): number }): void {
  clock = other;
}

/** Notes the URL and the secret of an endpoint, where a request or reply names them. */
export function noteEndpoint(message: unknown): void {
  const { id, endpoint_id, url, secret } = message as Record<string, unknown>;
  const endpointId = endpoint_id ?? id;
  if (typeof endpointId !== 'string' || !isId('webhookEndpoint', endpointId)) return;
  const endpoint = known.get(endpointId) ?? { urls: new Set(), secrets: new Set() };
  known.set(endpointId, endpoint);
  if (typeof url === 'string' && URL.canParse(url)) endpoint.urls.add(new URL(url).href);
  if (typeof secret === 'string') endpoint.secrets.add(secret);
}

/** Throws unless the official library verifies what came to this URL. */
export function verifySignature(url: string, headers: IncomingHttpHeaders, body: Buffer): void {
  const secrets = [...known.values()]
    .filter(({ urls }) => urls.has(url))
    .flatMap((endpoint) => [...endpoint.secrets]);
  const rejections: unknown[] = [];
  for (const secret of secrets) {
    try {
      atTime(clock.now(), () => new Webhook(secret).verify(body, headers as Record<string, string>));
      return;
    } catch (error) {
      rejections.push(error);
    }
  }
  throw new AggregateError(
    rejections,
    `${url} got a request that none of its ${secrets.length} secrets has signed.`,
  );
}

/** The library has no clock to be given. */
function atTime(nowMs: number, run: () => unknown): void {
  const { now } = Date;
  Date.now = () => nowMs;
  try {
    run();
  } finally {
    Date.now = now;
  }
}
