import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { RequestPrincipal } from '@tollgate/contracts/applications/principal';
import { SIGNATURE_TOLERANCE_S } from '@tollgate/contracts/platform/headers';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import type { Keyring } from './keyring.ts';

/** The parts of a request that the signature covers: a change in transit makes the signature invalid. */
export interface SignedRequest {
  method: string;
  /** Path with query, as in the request line. */
  path: string;
  requestId: string;
  /** The header as sent; empty when there is none. */
  idempotencyKey: string;
  body: Uint8Array;
}

/** Why a request fails verification: `outdated` is a request of an earlier time, or a wrong clock. */
type SignatureFault = 'unsigned' | 'malformed' | 'unknown-key' | 'altered' | 'outdated';

export class SignatureError extends Error {
  readonly fault: SignatureFault;

  constructor(fault: SignatureFault, reason: string) {
    super(`Invalid principal signature: ${reason}`);
    this.name = 'SignatureError';
    this.fault = fault;
  }
}

const EMPTY_BODY_DIGEST = hash('sha256', '', 'hex');

/** The value of the header with which the gateway sends a principal to payments. */
export function encodePrincipal(principal: RequestPrincipal): string {
  return Buffer.from(JSON.stringify(principal)).toString('base64url');
}

/** Returns the value of the header that signs a request and its encoded principal. */
export function signPrincipal(
  keyring: Keyring,
  encodedPrincipal: string,
  request: SignedRequest,
  nowMs: number,
): string {
  const { version, key } = keyring.current;
  const seconds = Math.floor(nowMs / 1000);
  return `t=${seconds},v=${version},s=${computeMac(key, seconds, request, encodedPrincipal)}`;
}

/** Returns the principal of a request from the gateway. Throws SignatureError when it is unsigned, altered, or more than 30 s off. */
export function verifyPrincipal(
  keyring: Keyring,
  headers: { principal: string | undefined; signature: string | undefined },
  request: SignedRequest,
  nowMs: number,
): RequestPrincipal {
  if (headers.principal === undefined || headers.signature === undefined)
    throw new SignatureError('unsigned', 'missing');
  const match = /^t=(\d{1,12}),v=([A-Za-z0-9_-]{1,16}),s=([0-9a-f]{64})$/.exec(headers.signature);
  if (!match) throw new SignatureError('malformed', 'not in the format t=…,v=…,s=…');
  const [, seconds, version, mac] = match as unknown as [string, string, string, string];
  const key = keyring.get(version);
  if (!key) throw new SignatureError('unknown-key', 'unknown key version');
  if (
    !timingSafeEqual(
      Buffer.from(computeMac(key, Number(seconds), request, headers.principal)),
      Buffer.from(mac),
    )
  ) {
    throw new SignatureError('altered', 'does not match the request');
  }
  if (Math.abs(nowMs / 1000 - Number(seconds)) > SIGNATURE_TOLERANCE_S) {
    throw new SignatureError('outdated', `more than ${SIGNATURE_TOLERANCE_S} s off; check the clocks`);
  }
  const encoded = Buffer.from(headers.principal, 'base64url').toString('utf8');
  const principal = openReader(RequestPrincipal).read(JSON.parse(encoded));
  if (!principal) throw new SignatureError('malformed', 'malformed principal');
  return principal;
}

/** In hex, which Node returns faster than bytes. */
function computeMac(key: Buffer, seconds: number, request: SignedRequest, principal: string): string {
  const { method, path, requestId, idempotencyKey, body } = request;
  const bodyDigest = body.length === 0 ? EMPTY_BODY_DIGEST : hash('sha256', body, 'hex');
  // No part can contain a line feed: HTTP forbids it in targets and header values.
  const text = `${seconds}\n${method}\n${path}\n${requestId}\n${idempotencyKey}\n${bodyDigest}\n${principal}`;
  return createHmac('sha256', key).update(text).digest('hex');
}
