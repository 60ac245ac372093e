import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { Clock } from '@tollgate/runtime/clock';
import * as client from 'openid-client';
import { ssoFailed } from '../sso-failed.ts';

const LIFETIME_MS = 10 * MINUTE_MS;
/** A provider that is down is not asked for each sign-in. */
const FAILURE_LIFETIME_MS = 5 * SECOND_MS;
/** Issuers of different teams; each document has a few kilobytes. */
const MAX_CACHED = 200;
/** Discovery needs no client, but the library's function takes one. */
const NO_CLIENT = 'discovery';

interface Discovery {
  /** The metadata of the issuer (OpenID Connect Discovery 1.0 §4), which is cached. */
  find(issuer: string, fetch: client.CustomFetch): Promise<client.ServerMetadata>;
  /** The same, from the issuer itself. */
  read(issuer: string, fetch: client.CustomFetch): Promise<client.ServerMetadata>;
}

export function createDiscovery({ allowsHttp, clock }: { allowsHttp: boolean; clock: Clock }): Discovery {
  const cached = new Map<string, { metadata: Promise<client.ServerMetadata>; expiresAtMs: number }>();

  async function read(issuer: string, fetch: client.CustomFetch): Promise<client.ServerMetadata> {
    const configuration = await client.discovery(new URL(issuer), NO_CLIENT, undefined, undefined, {
      [client.customFetch]: fetch,
      ...(allowsHttp && { execute: [client.allowInsecureRequests] }),
    });
    const metadata = configuration.serverMetadata();
    // The library accepts others for Microsoft's shared issuers, whose ID tokens could come from any organization.
    if (metadata.issuer !== issuer) {
      throw ssoFailed(
        'wrong_issuer',
        'The identity provider names another issuer than the settings of the team. An owner of the team must correct the issuer.',
      );
    }
    return metadata;
  }

  return {
    read,
    find(issuer, fetch) {
      const known = cached.get(issuer);
      if (known && known.expiresAtMs > clock.now()) return known.metadata;
      const found = { metadata: read(issuer, fetch), expiresAtMs: clock.now() + LIFETIME_MS };
      found.metadata.catch(() => {
        found.expiresAtMs = clock.now() + FAILURE_LIFETIME_MS;
      });
      cached.delete(issuer);
      // The oldest one: a Map keeps the order of insertion.
      if (cached.size >= MAX_CACHED) cached.delete(cached.keys().next().value as string);
      cached.set(issuer, found);
      return found.metadata;
    },
  };
}
