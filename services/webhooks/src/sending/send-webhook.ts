import type { ATTEMPT_ERRORS } from '@tollgate/contracts/webhook';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhook';
import { AddressRejected, HostNotFound, TransportRejected } from '@tollgate/outbound/resolve-host';
import { type Dispatcher, errors, request } from 'undici';

/** From the first DNS lookup to the last byte of the response. */
export const TOTAL_DEADLINE_MS = 15_000;
const MAX_STORED_HEADERS = 40;
const MAX_STORED_HEADER_LENGTH = 1_024;

export type SendErrorCode = (typeof ATTEMPT_ERRORS)[number];

export interface WebhookResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** The response had more bytes, which were not read. */
  truncated: boolean;
}

export interface SendResult {
  /** Null when no complete response was received. */
  response: WebhookResponse | null;
  error: { code: SendErrorCode; detail: string } | null;
}

/**
 * POSTs a webhook once. Never throws: a failure is a result. Redirects are not followed, because the receiver chooses their
 * address.
 */
export async function sendWebhook(
  agent: Dispatcher,
  wanted: { url: string; headers: Record<string, string>; body: Buffer; deadlineMs?: number },
): Promise<SendResult> {
  const { deadlineMs = TOTAL_DEADLINE_MS } = wanted;
  const deadline = AbortSignal.timeout(deadlineMs);
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
    const { body, truncated } = await readBody(received.body, deadline);
    const response = {
      status: received.statusCode,
      headers: storedHeaders(received.headers),
      body,
      truncated,
    };
    return { response, error: statusError(response.status) };
  } catch (error) {
    return { response: null, error: describe(error, deadline, deadlineMs) };
  }
}

async function readBody(stream: Dispatcher.ResponseData['body'], deadline: AbortSignal) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop destroys the stream and its connection, so the rest is not transferred.
    if (bytes > WEBHOOK_LIMITS.responseBytes) break;
  }
  deadline.throwIfAborted();
  const body = Buffer.concat(chunks).subarray(0, WEBHOOK_LIMITS.responseBytes);
  return { body, truncated: bytes > body.length };
}

function statusError(status: number): SendResult['error'] {
  if (status >= 200 && status < 300) return null;
  const detail =
    status >= 300 && status < 400
      ? `The endpoint responded with ${status}. Redirects are not followed. Set the endpoint's URL to the target of the redirect.`
      : `The endpoint responded with ${status}. A delivery succeeds with a 2xx status.`;
  return { code: 'status', detail };
}

function storedHeaders(received: Record<string, string | string[] | undefined>): Record<string, string> {
  const stored: Record<string, string> = {};
  for (const [name, value] of Object.entries(received).slice(0, MAX_STORED_HEADERS)) {
    if (value === undefined || name === '__proto__') continue;
    stored[name] = (Array.isArray(value) ? value.join(', ') : value).slice(0, MAX_STORED_HEADER_LENGTH);
  }
  return stored;
}

function describe(error: unknown, deadline: AbortSignal, deadlineMs: number): SendResult['error'] {
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
