import { check, isObject } from './arguments.ts';
import { InvalidArgumentError, WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './webhook-event.ts';

export interface VerifyOptions {
  /** How far the time of the attempt may differ from now, in either direction. Default: 300. */
  toleranceSeconds?: number;
  /** The current time, for a test with a recorded request. */
  now?: Date;
}

/** The headers of Node, of `fetch`, or any other record. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

const DEFAULT_TOLERANCE_SECONDS = 300;
/** Tollgate sends two during a rotation. Each costs a hash of the body, and the sender is not known yet. */
const MAX_SIGNATURES = 10;

/**
 * Verifies a webhook request (https://www.standardwebhooks.com) and returns its event. Throws
 * WebhookVerificationError unless one of the secrets signed these exact bytes within the tolerance.
 *
 * @param rawBody the body as received, before any JSON parser
 * @param secrets of the endpoint, `whsec_…`
 */
export async function verify(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const { nowSeconds, toleranceSeconds } = checkedOptions(options);
  const body = bytesOf(rawBody);
  const keys = await Promise.all([secrets].flat().map(importKey));
  if (keys.length === 0) throw invalidSecret();
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = parseSignatures(headerOf(headers, 'webhook-signature'));
  checkTime(timestamp, nowSeconds, toleranceSeconds);

  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  for (const key of keys) {
    for (const signature of signatures) {
      // WebCrypto compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return parseEvent(id, body);
    }
  }
  throw rejection(
    'signature-mismatch',
    'No signature matches. Check the secret, and pass the body as received.',
  );
}

function checkedOptions(options: VerifyOptions) {
  check(isObject(options), 'invalid-options', 'The options of a verification must be an object.');
  const { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = new Date() } = options;
  check(
    Number.isFinite(toleranceSeconds) && toleranceSeconds >= 0,
    'invalid-tolerance',
    'toleranceSeconds must be a number of 0 or more.',
  );
  // A date of another realm is no instance of Date.
  const isDate = typeof (now as Date | null)?.getTime === 'function' && Number.isFinite(now.getTime());
  check(isDate, 'invalid-now', 'now must be a valid Date.');
  return { nowSeconds: now.getTime() / 1_000, toleranceSeconds };
}

function bytesOf(rawBody: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  // The bytes of test environments are often of another realm, and `instanceof` rejects them.
  if (ArrayBuffer.isView(rawBody)) {
    return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  }
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  throw new InvalidArgumentError(
    'rawBody must be the body as received, a string or bytes, and not parsed JSON.',
    {
      code: 'invalid-body',
    },
  );
}

async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = typeof secret === 'string' && decodeBase64(/^whsec_(.+)$/.exec(secret)?.[1]);
  if (bytes)
    return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  throw invalidSecret();
}

function invalidSecret(): InvalidArgumentError {
  return new InvalidArgumentError('The secret must be whsec_…, as the endpoint shows it.', {
    code: 'invalid-secret',
  });
}

function headerOf(headers: WebhookHeaders, name: string): string {
  check(typeof headers === 'object' && headers !== null, 'invalid-headers', 'headers must be an object.');
  const found = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const value = Array.isArray(found) ? found.join(' ') : found;
  if (typeof value === 'string' && value !== '') return value;
  throw rejection('missing-header', `The request has no ${name} header.`);
}

/** Also those of a library. */
function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof (headers as Headers).get === 'function';
}

/** Signatures of other versions are for other algorithms. */
function parseSignatures(header: string): Uint8Array<ArrayBuffer>[] {
  const entries = header.split(' ').filter((entry) => entry.startsWith('v1,'));
  if (entries.length > MAX_SIGNATURES) {
    throw rejection('invalid-header', `The request has more than ${MAX_SIGNATURES} signatures.`);
  }
  return entries
    .map((entry) => decodeBase64(entry.slice('v1,'.length)))
    .filter((bytes) => bytes !== undefined);
}

function checkTime(timestamp: string, nowSeconds: number, toleranceSeconds: number): void {
  if (!/^\d{1,15}$/.test(timestamp))
    throw rejection('invalid-header', 'The webhook-timestamp is not a Unix time.');
  const ageSeconds = nowSeconds - Number(timestamp);
  if (ageSeconds > toleranceSeconds) throw rejection('timestamp-too-old', 'The request is too old.');
  if (ageSeconds < -toleranceSeconds) {
    throw rejection('timestamp-too-new', 'The request is from the future. Check the clock of this machine.');
  }
}

function parseEvent(id: string, body: Uint8Array): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookEvent;
    if (typeof event.type === 'string' && typeof event.data === 'object') return { ...event, id };
  } catch {}
  throw rejection('invalid-payload', 'The body is signed, but it is not an event.');
}

function concat(start: Uint8Array, end: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(start.length + end.length);
  bytes.set(start);
  bytes.set(end, start.length);
  return bytes;
}

function decodeBase64(text: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  try {
    return text ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

function rejection(code: string, message: string): WebhookVerificationError {
  return new WebhookVerificationError(message, { code });
}
