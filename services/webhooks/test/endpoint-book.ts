import type { IncomingHttpHeaders } from 'node:http';
import { isId } from '@tollgate/contracts/platform/ids';
import type { Clock } from '@tollgate/runtime/clock';
import { Webhook } from 'standardwebhooks';

interface KnownEndpoint {
  urls: Set<string>;
  secrets: Set<string>;
}

/** The URLs and secrets of the endpoints of a harness. With it, receivers reject requests that none of their endpoints has signed. */
export interface EndpointBook {
  /** Notes the URL and the secret of an endpoint, where a request or reply names them. */
  note(message: unknown): void;
  /** Throws unless the official library verifies what this URL received, with a secret of an endpoint of that URL. */
  verify(url: string, headers: IncomingHttpHeaders, body: Buffer): void;
}

/** The clock judges the age of signatures. */
export function createEndpointBook(clock: Clock): EndpointBook {
  const known = new Map<string, KnownEndpoint>();

  return {
    note(message) {
      const { id, endpoint_id, url, secret } = message as Record<string, unknown>;
      const endpointId = endpoint_id ?? id;
      if (typeof endpointId !== 'string' || !isId('webhookEndpoint', endpointId)) return;
      const endpoint = known.get(endpointId) ?? { urls: new Set(), secrets: new Set() };
      known.set(endpointId, endpoint);
      if (typeof url === 'string' && URL.canParse(url)) endpoint.urls.add(new URL(url).href);
      if (typeof secret === 'string') endpoint.secrets.add(secret);
    },

    verify(url, headers, body) {
      const secrets = [...known.values()]
        .filter(({ urls }) => urls.has(url))
        .flatMap((endpoint) => [...endpoint.secrets]);
      const rejections: unknown[] = [];
      for (const secret of secrets) {
        try {
          atTime(clock.now(), () => new Webhook(secret).verify(body, headers as Record<string, string>));
          return;
        } catch (error) {
          rejections.push(error);
        }
      }
      throw new AggregateError(
        rejections,
        `${url} got a request that none of its ${secrets.length} secrets has signed.`,
      );
    },
  };
}

/** The library takes no clock. */
function atTime(nowMs: number, run: () => unknown): void {
  const { now } = Date;
  Date.now = () => nowMs;
  try {
    run();
  } finally {
    Date.now = now;
  }
}
