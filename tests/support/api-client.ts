import type { Payment } from '@tollgate/contracts/payments/payment';

/** A response as a caller sees it. `body` is parsed JSON, or null when there is none. */
export interface ApiResponse<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface RequestOptions {
  body?: unknown;
  headers?: Record<string, string>;
  idempotencyKey?: string;
}

export interface ApiClient {
  request<Body = Record<string, unknown>>(
    method: string,
    path: string,
    options?: RequestOptions,
  ): Promise<ApiResponse<Body>>;
  create(body?: object, idempotencyKey?: string): Promise<ApiResponse<Payment>>;
  read(paymentId: string): Promise<ApiResponse<Payment>>;
  cancel(paymentId: string, body?: object, idempotencyKey?: string): Promise<ApiResponse<Payment>>;
}

export interface ClientOptions {
  /** A request without a response for so long is given up. Without it, a client waits forever. */
  timeoutMs?: number;
}

/** A client of the API as applications use it; `credential` null sends no credential. */
export function apiClient(
  baseUrl: string,
  credential: string | null,
  { timeoutMs }: ClientOptions = {},
): ApiClient {
  async function request<Body>(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<ApiResponse<Body>> {
    const { body, idempotencyKey } = options;
    const headers: Record<string, string> = {};
    if (credential !== null) headers['authorization'] = `Bearer ${credential}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: { ...headers, ...options.headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  }

  const withKey = (key: string | undefined) => (key === undefined ? {} : { idempotencyKey: key });
  return {
    request,
    create: (body = { amount: 1999, currency: 'EUR' }, key) =>
      request('POST', '/v1/payments', { body, ...withKey(key) }),
    read: (id) => request('GET', `/v1/payments/${id}`),
    cancel: (id, body, key) =>
      request('POST', `/v1/payments/${id}/cancel`, {
        ...(body === undefined ? {} : { body }),
        ...withKey(key),
      }),
  };
}
