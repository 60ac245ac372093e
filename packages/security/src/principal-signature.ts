import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { HEADERS, SIGNATURE_TOLERANCE_S } from '@tollgate/contracts/headers';
import { openReader } from '@tollgate/contracts/open-reader';
import { Principal } from '@tollgate/contracts/principal';
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

/** Why a request is not believed: `outdated` is a request of an earlier time, or a wrong clock. */
type SignatureFault = 'unsigned' | 'malformed' | 'unknown-key' | 'altered' | 'outdated';

export class SignatureError extends Error {
  readonly fault: SignatureFault;

  constructor(fault: SignatureFault, reason: string) {
    super(`Invalid principal signature: ${reason}`);
    this.name = 'SignatureError';
    this.fault = fault;
  }
}

const EMPTY_BODY_DIGEST = createHash('sha256').digest('hex');

/** Returns the two headers with which the gateway sends the principal of a request to payments. */
export function signPrincipal(
  keyring: Keyring,
  principal: Principal,
  request: SignedRequest,
  nowMs: number,
): Record<string, string> {
  const { version, key } = keyring.current;
  const seconds = Math.floor(nowMs / 1000);
  const encoded = Buffer.from(JSON.stringify(principal)).toString('base64url');
  const mac = computeMac(key, seconds, request, encoded).toString('hex');
  return { [HEADERS.principal]: encoded, [HEADERS.signature]: `t=${seconds},v=${version},s=${mac}` };
}

/** Returns the principal of a request from the gateway. Throws SignatureError when it is unsigned, altered, or more than 30 s off. */
export function verifyPrincipal(
  keyring: Keyring,
  headers: { principal: string | undefined; signature: string | undefined },
  request: SignedRequest,
  nowMs: number,
): Principal {
  if (headers.principal === undefined || headers.signature === undefined)
    throw new SignatureError('unsigned', 'missing');
  const match = /^t=(\d{1,12}),v=([A-Za-z0-9_-]{1,16}),s=([0-9a-f]{64})$/.exec(headers.signature);
  if (!match) throw new SignatureError('malformed', 'not in the format t=…,v=…,s=…');
  const [, seconds, version, mac] = match as unknown as [string, string, string, string];
  const key = keyring.get(version);
  if (!key) throw new SignatureError('unknown-key', 'unknown key version');
  if (
    !timingSafeEqual(computeMac(key, Number(seconds), request, headers.principal), Buffer.from(mac, 'hex'))
  ) {
    throw new SignatureError('altered', 'does not match the request');
  }
  if (Math.abs(nowMs / 1000 - Number(seconds)) > SIGNATURE_TOLERANCE_S) {
    throw new SignatureError('outdated', `more than ${SIGNATURE_TOLERANCE_S} s off; check the clocks`);
  }
  const encoded = Buffer.from(headers.principal, 'base64url').toString('utf8');
  const principal = openReader(Principal).read(JSON.parse(encoded));
  if (!principal) throw new SignatureError('malformed', 'malformed principal');
  return principal;
}

function computeMac(key: Buffer, seconds: number, request: SignedRequest, principal: string): Buffer {
  const bodyDigest =
    request.body.length === 0 ? EMPTY_BODY_DIGEST : createHash('sha256').update(request.body).digest('hex');
  // No part can contain a line feed: HTTP forbids it in targets and header values.
  const text = [
    seconds,
    request.method,
    request.path,
    request.requestId,
    request.idempotencyKey,
    bodyDigest,
    principal,
  ].join('\n');
  return createHmac('sha256', key).update(text).digest();
}
