import { createMollieClient, MollieApiError, type MollieClient } from '@mollie/api-client';
import type { MollieConfig } from './config.ts';

export interface MollieConnection extends MollieClient {
  /** Whether the last response was the stored one of an earlier request with the same idempotency key. */
  wasReplayed(): boolean;
}

/**
 * Returns Mollie's library for the requests of one call, with another transport.
 *
 * The library's own transport repeats requests in the background after 5xx, after any time that `Retry-After` names, and
 * without a deadline. A repeated charge could reach Mollie when the idempotency key is forgotten, or when Tollgate has
 * canceled the payment. It also trusts only the certificate authorities of 2021 that the library contains, and takes the
 * status of an error from its body. This one sends each request once, until the signal of the call aborts it.
 */
export function connectToMollie(config: MollieConfig, signal: AbortSignal): MollieConnection {
  let replayed = false;
  const client = createMollieClient({ apiKey: config.apiKey });
  transportOf(client).request = async (path, init) => {
    const response = await fetch(urlOf(config, path), {
      ...init,
      headers: {
        ...init?.headers,
        authorization: `Bearer ${config.apiKey}`,
        accept: 'application/hal+json',
        'content-type': 'application/json',
        'user-agent': 'Tollgate/1',
      },
      redirect: 'error',
      signal,
    });
    replayed = response.headers.get('idempotent-replayed') === 'true';
    const body = parse(await response.text());
    if (!response.ok) throw errorOf(response.status, body);
    return body;
  };
  return Object.assign(client, { wasReplayed: () => replayed });
}

interface Transport {
  request(
    path: string,
    init?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<unknown>;
}

/** Every part of a client shares one transport, which the library declares as protected. */
function transportOf(client: MollieClient): Transport {
  const { networkClient } = client.payments as unknown as { networkClient?: { networkClient?: Transport } };
  const transport = networkClient?.networkClient;
  if (typeof transport?.request !== 'function') {
    throw new Error(
      'This version of @mollie/api-client has no replaceable transport. Install the version of package.json.',
    );
  }
  return transport;
}

/** The key is sent to the configured host only, also when a link of a response names another one. */
function urlOf(config: MollieConfig, path: string): URL {
  const url = new URL(path, config.apiUrl);
  if (url.origin !== new URL(config.apiUrl).origin)
    throw new Error('A link in the response of Mollie leads to another host.');
  return url;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** An error whose body is not Mollie's comes from a proxy or a wrong address, and gets no status: it rejects nothing. */
function errorOf(status: number, body: unknown): MollieApiError {
  const error = (body ?? {}) as { status?: unknown; title?: unknown; detail?: unknown; field?: unknown };
  if (error.status !== status)
    return new MollieApiError(`Mollie responded with ${status} and no error body.`);
  return new MollieApiError(String(error.detail ?? error.title), {
    statusCode: status,
    ...(typeof error.field === 'string' && { field: error.field }),
  });
}
