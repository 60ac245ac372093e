import type { IncomingHttpHeaders } from 'node:http';
import { type HttpResponse, sendRequest } from '@tollgate/http/send-request';
import { ADAPTER_LIMITS } from '@tollgate/processor-adapter/contract/payment-state';
import { type Call, callId, type SigningSecrets, sign } from '@tollgate/processor-adapter/contract/signature';
import { Finding } from './finding.ts';

/** A request and its response, without secrets. */
export interface Exchange {
  /** Method, path, and what is special about the request. */
  sent: string;
  /** Status and the beginning of the body. */
  received: string;
  requestId: string;
  /** Null when the connection failed. */
  status: number | null;
  headers: Record<string, string>;
  body: string;
}

/** How a request differs from a correct one. */
export interface Deviation {
  /** Shown in findings. */
  note: string;
  id?: string;
  secrets?: SigningSecrets;
  /** Added to the time of the signature. */
  offsetS?: number;
  /** Signed instead of the body that is sent. */
  signedBody?: string;
  isUnsigned?: boolean;
  query?: string;
}

export interface AdapterCaller {
  /** @throws Finding when the adapter does not respond in time */
  call(call: Call, paymentId: string, body?: string, deviation?: Deviation): Promise<Exchange>;
  health(): Promise<Exchange>;
}

const SHOWN_CHARACTERS = 300;

const PATHS: Record<Call, (id: string) => { method: string; path: string }> = {
  start: () => ({ method: 'POST', path: '/payments' }),
  status: (id) => ({ method: 'GET', path: `/payments/${id}` }),
  cancel: (id) => ({ method: 'POST', path: `/payments/${id}/cancel` }),
};

export function createAdapterCaller(
  url: string,
  secrets: SigningSecrets,
  responseDeadlineMs: number,
): AdapterCaller {
  async function exchange(
    sent: string,
    path: string,
    request: { method: string; headers: Record<string, string>; body: string | null },
    requestId: string,
  ): Promise<Exchange> {
    const signal = AbortSignal.timeout(responseDeadlineMs);
    const base = { sent, requestId, headers: {}, body: '' };
    try {
      const wanted = { ...request, maxBytes: ADAPTER_LIMITS.bodyBytes, signal };
      const response = await sendRequest(new URL(`${url}${path}`), wanted);
      const body = wholeBody(response);
      const received = `${response.status} ${body.slice(0, SHOWN_CHARACTERS)}`.trimEnd();
      return {
        ...base,
        received,
        status: response.status,
        headers: textHeaders(response.headers),
        body,
      };
    } catch (error) {
      if (!signal.aborted) return { ...base, received: `no response: ${reasonOf(error)}`, status: null };
      const received = `no response within ${responseDeadlineMs / 1_000} s`;
      throw new Finding('a response within 10 seconds', { sent, received }, 'responds-in-time');
    }
  }

  return {
    call(call, paymentId, body = '', deviation) {
      const { method, path: resource } = PATHS[call](paymentId);
      const path = resource + (deviation?.query ?? '');
      const id = deviation?.id ?? callId(call, paymentId);
      const nowMs = Date.now() + (deviation?.offsetS ?? 0) * 1_000;
      const signed = sign(deviation?.secrets ?? secrets, { id, body: deviation?.signedBody ?? body }, nowMs);
      const headers = {
        ...(body !== '' && { 'content-type': 'application/json' }),
        ...(!deviation?.isUnsigned && signed),
      };
      const note = deviation ? ` (${deviation.note})` : '';
      const request = { method, headers, body: body === '' ? null : body };
      return exchange(`${method} ${path}${note}`, path, request, id);
    },
    health: () =>
      exchange(
        'GET /healthz (without a signature)',
        '/healthz',
        { method: 'GET', headers: {}, body: null },
        '',
      ),
  };
}

/** Tollgate reads no more of a response either. */
function wholeBody({ body, end }: HttpResponse): string {
  if (end === 'too-long') throw new Error(`the response is larger than ${ADAPTER_LIMITS.bodyBytes} bytes`);
  if (end === 'broken-off') throw new Error('the connection closed in the middle of the response');
  return body.toString();
}

function textHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** The error of several addresses has no message. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || String(code);
}
