import { type Dispatcher, errors, request } from 'undici';
import { readBody } from './read-body.ts';
import { AddressRejected, HostNotFound, TransportRejected } from './resolve-host.ts';

/** Why no complete response was received. */
export type PostErrorCode = 'refused' | 'dns' | 'timeout' | 'connection' | 'tls' | 'protocol';

export interface PostResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** The response had more bytes, which were not read. */
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
 * POSTs once. Never throws: a failure is a result. Redirects are not followed, because the receiver chooses their address.
 *
 * @param agent of `createCheckedAgent`
 */
export async function postOnce(agent: Dispatcher, wanted: PostRequest): Promise<PostResult> {
  const deadline = AbortSignal.timeout(wanted.deadlineMs);
  try {
    const received = await request(wanted.url, {
      dispatcher: agent,
      method: 'POST',
      headers: wanted.headers,
      body: wanted.body,
      signal: deadline,
      // The signal is the only deadline: undici's own timeouts restart with every byte of a slow response.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const { body, truncated } = await readBody(received.body, wanted.maxResponseBytes);
    deadline.throwIfAborted();
    return {
      response: { status: received.statusCode, headers: received.headers, body, truncated },
      error: null,
    };
  } catch (error) {
    return { response: null, error: describe(error, deadline, wanted.deadlineMs) };
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
  if (error instanceof errors.ConnectTimeoutError) {
    return { code: 'connection', detail: 'The connection timed out.' };
  }
  const code = String((error as { code?: unknown }).code ?? '');
  if (/^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL|EPROTO|HOSTNAME_MISMATCH)/.test(code)) {
    return { code: 'tls', detail: `Tollgate rejected the TLS connection: ${code}.` };
  }
  if (code.startsWith('HPE_') || error instanceof errors.HTTPParserError) {
    return { code: 'protocol', detail: 'The response is not HTTP/1.1.' };
  }
  return { code: 'connection', detail: `The connection failed${code === '' ? '' : `: ${code}`}.` };
}
