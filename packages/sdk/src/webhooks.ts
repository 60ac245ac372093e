import { check, isObject } from './arguments.ts';
import type { WebhookErrorCode } from './error-code.ts';
import { InvalidArgumentError, WebhookVerificationError } from './errors.ts';
import type { TestWebhookEvent, WebhookEvent } from './webhook-event.ts';

export interface VerifyOptions {
  /** How far the time of the attempt may differ from now, in either direction. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** The current time, for a test with a recorded request. */
  now?: Date | undefined;
}

/** What Tollgate sends to an endpoint. */
export interface TestRequest {
  body: string;
  headers: Record<'content-type' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;
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
  const keys = await importKeys(secrets);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = parseSignatures(headerOf(headers, 'webhook-signature'));
  checkTime(timestamp, nowSeconds, toleranceSeconds);

  const signed = signedBytes(id, timestamp, body);
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

/**
 * Signs an event as Tollgate does, for a test of a receiver. With several secrets, the request has a signature for each, as
 * during a rotation. An option `now` in the past creates a request that is too old.
 */
export async function generateTestRequest(
  event: TestWebhookEvent,
  secrets: string | readonly string[],
  options: Pick<VerifyOptions, 'now'> = {},
): Promise<TestRequest> {
  const { nowSeconds } = checkedOptions(options);
  const isEvent = isObject(event) && typeof event.type === 'string' && isObject(event.data);
  check(isEvent, 'invalid-event', 'The event must be an object with a type and data.');
  const time = String(Math.floor(nowSeconds));
  const { id = `evt_${crypto.randomUUID()}`, type, data } = event;
  const body = JSON.stringify({ type, timestamp: new Date(nowSeconds * 1_000).toISOString(), data });
  const signed = signedBytes(id, time, new TextEncoder().encode(body));
  const signatures = (await importKeys(secrets)).map(
    async (key) => `v1,${encodeBase64(await crypto.subtle.sign('HMAC', key, signed))}`,
  );
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': (await Promise.all(signatures)).join(' '),
  };
  return { body, headers };
}

function checkedOptions(options: VerifyOptions) {
  check(isObject(options), 'invalid-options', 'The options must be an object.');
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

async function importKeys(secrets: string | readonly string[]): Promise<CryptoKey[]> {
  const keys = await Promise.all([secrets].flat().map(importKey));
  if (keys.length === 0) throw invalidSecret();
  return keys;
}

async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = typeof secret === 'string' && decodeBase64(/^whsec_(.+)$/.exec(secret)?.[1]);
  if (bytes)
    return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
      'verify',
    ]);
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

function signedBytes(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(start.length + body.length);
  bytes.set(start);
  bytes.set(body, start.length);
  return bytes;
}

function encodeBase64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

function decodeBase64(text: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  try {
    return text ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

function rejection(code: WebhookErrorCode, message: string): WebhookVerificationError {
  return new WebhookVerificationError(message, { code });
}
