import { request } from 'undici';

export interface AdminResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Parsed JSON; undefined for an empty body. */
  body: unknown;
}

export interface AdminRequest {
  token?: string | null;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown;
}

export type AdminClient = (target: string, more?: AdminRequest) => Promise<AdminResponse>;

/**
 * Sends `<METHOD> <path>`, with the path below `/admin/v1` unless it includes that, and with the session `token` by
 * default.
 */
export function adminClient(baseUrl: string, token: string | null): AdminClient {
  return async (target, more = {}) => {
    const [method, path] = target.split(' ') as [string, string];
    const credential = more.token === undefined ? token : more.token;
    const response = await request(`${baseUrl}${/^\/(admin|v1)/.test(path) ? path : `/admin/v1${path}`}`, {
      method: method as 'GET',
      headers: {
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
        ...(more.body !== undefined && { 'content-type': 'application/json' }),
        ...more.headers,
      },
      ...(more.body !== undefined && {
        body: typeof more.body === 'string' ? more.body : JSON.stringify(more.body),
      }),
    });
    const text = await response.body.text();
    const isJson = /^application\/(problem\+)?json/.test(String(response.headers['content-type']));
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    };
  };
}
