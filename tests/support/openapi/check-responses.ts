import { afterAll, afterEach, expect } from 'vitest';
import { type DocumentedApi, documentedApiOf, type ReceivedResponse } from './documented-api.ts';

/**
 * Setup file: every response that a test gets from a gateway must be as its OpenAPI document says. A test that gets
 * another one fails, whatever it expects itself.
 */
const sendUnchecked = globalThis.fetch;
const apis = new Map<string, Promise<DocumentedApi | null>>();
const checks: Promise<string[]>[] = [];

globalThis.fetch = async (input, init) => {
  const request = input instanceof Request ? input : { url: String(input), method: init?.method ?? 'GET' };
  const response = await sendUnchecked(input, init);
  checks.push(faultsOf(request.method, new URL(request.url), response));
  return response;
};

async function faultsOf(method: string, url: URL, response: Response): Promise<string[]> {
  const received = receive(response);
  const key = `${url.origin}${url.pathname.startsWith('/admin/') ? '/admin' : ''}`;
  const api = apis.get(key) ?? documentedApiOf(url, sendUnchecked).catch(() => forget(key));
  apis.set(key, api);
  return (await api)?.faultsOf(method, url.pathname, await received) ?? [];
}

/** The gateway was stopped right after its response. The next one from this origin asks for the document again. */
function forget(key: string): null {
  apis.delete(key);
  return null;
}

async function receive(response: Response): Promise<ReceivedResponse> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    // Null also for a response that the test aborts.
    body: isStream
      ? null
      : await response
          .clone()
          .text()
          .catch(() => null),
  };
}

async function expectNoFaults(): Promise<void> {
  const faults = (await Promise.all(checks.splice(0))).flat();
  expect([...new Set(faults)], 'differences from the OpenAPI document').toEqual([]);
}

afterEach(expectNoFaults);
afterAll(expectNoFaults);
