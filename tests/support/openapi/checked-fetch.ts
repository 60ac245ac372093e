import { type DocumentedApi, documentedApiOf, type ReceivedResponse } from './documented-api.ts';

/** Replaces `fetch` when it is imported, which test files that share a process do once. */
const sendUnchecked = globalThis.fetch;
const apis = new Map<string, Promise<DocumentedApi | null>>();
const checks: Promise<string[]>[] = [];

globalThis.fetch = async (input, init) => {
  const request = input instanceof Request ? input : { url: String(input), method: init?.method ?? 'GET' };
  const response = await sendUnchecked(input, init);
  checks.push(faultsOf(request.method, new URL(request.url), response));
  return response;
};

/** Differences between the responses since the last call and the OpenAPI documents of their gateways. */
export async function takeFaults(): Promise<string[]> {
  const faults = (await Promise.all(checks.splice(0))).flat();
  return [...new Set(faults)];
}

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
