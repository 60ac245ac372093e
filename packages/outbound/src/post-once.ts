import { HEADERS_TOO_LARGE, MAX_RESPONSE_HEADER_BYTES } from '@tollgate/http/send-request';
import type { CheckedAgent } from './checked-agent.ts';
import { CONNECT_TIMEOUT } from './connect-in-turn.ts';
import { AddressRejected, HostNotFound, TransportRejected } from './resolve-host.ts';

/** Why no response was received. */
export type PostErrorCode = 'refused' | 'dns' | 'timeout' | 'connection' | 'tls' | 'protocol';

export interface PostResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** The response had more bytes, which were not read, or it broke off. */
  truncated: boolean;
}

export type PostResult =
  | { response: PostResponse; error: null }
  | { response: null; error: { code: PostErrorCode; detail: string } };

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** From the first DNS lookup to the last byte of the response. */
  deadlineMs: number;
  maxResponseBytes: number;
}

/**
 * POSTs once. Never throws: a failure is a result. Redirects are not followed, because the receiver chooses their address. A response
 * whose body breaks off is a response: the receiver has decided, and another POST would repeat what it did.
 */
export async function postOnce(
  agent: CheckedAgent,
  { url, headers, body, deadlineMs, maxResponseBytes: maxBytes }: PostRequest,
): Promise<PostResult> {
  // Not `AbortSignal.timeout`, which runs out after every request.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadlineMs);
  try {
    const request = { method: 'POST', headers, body, maxBytes, signal: deadline.signal };
    const { end, ...response } = await agent.request(url, request);
    return { response: { ...response, truncated: end !== 'complete' }, error: null };
  } catch (error) {
    return { response: null, error: describe(error, deadline.signal, deadlineMs) };
  } finally {
    clearTimeout(timer);
  }
}

function describe(
  error: unknown,
  deadline: AbortSignal,
  deadlineMs: number,
): { code: PostErrorCode; detail: string } {
  if (error instanceof AddressRejected || error instanceof TransportRejected)
    return { code: 'refused', detail: error.message };
  if (error instanceof HostNotFound) return { code: 'dns', detail: error.message };
  if (deadline.aborted) {
    return { code: 'timeout', detail: `No complete response was received within ${deadlineMs / 1000} s.` };
  }
  const { code: given, reason } = error as { code?: unknown; reason?: unknown };
  const code = String(given ?? '');
  if (code === CONNECT_TIMEOUT) return { code: 'connection', detail: 'The connection timed out.' };
  if (/^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL|EPROTO|HOSTNAME_MISMATCH)/.test(code)) {
    return { code: 'tls', detail: `Tollgate rejected the TLS connection: ${code}.` };
  }
  if (code === HEADERS_TOO_LARGE) {
    const limit = `${MAX_RESPONSE_HEADER_BYTES / 1024} KiB`;
    return { code: 'protocol', detail: `The headers of the response are larger than ${limit}.` };
  }
  if (code.startsWith('HPE_')) {
    return { code: 'protocol', detail: `The response is not valid HTTP/1.1: ${reason}.` };
  }
  return { code: 'connection', detail: `The connection failed${code === '' ? '' : `: ${code}`}.` };
}
