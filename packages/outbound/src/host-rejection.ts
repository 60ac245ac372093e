import type { Environment } from '@tollgate/contracts/platform/environment';
import type { AddressPolicy } from './address-policy.ts';
import type { Lookup } from './look-up-host.ts';
import { AddressRejected, HostNotFound, resolveAllowed } from './resolve-host.ts';

/** Why a URL cannot be saved because of its host. */
export interface HostRejection {
  /** The reason, written for the member who entered the URL. */
  detail: string;
  /** The address that is not allowed; null when the host does not exist. */
  rejected: AddressRejected | null;
}

/** Null when the host may be connected to now, and when the resolver is unavailable, which is no error of the URL. */
export async function hostRejection(
  url: URL,
  environment: Environment,
  by: { policy: AddressPolicy; lookup: Lookup },
): Promise<HostRejection | null> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  try {
    await resolveAllowed({ hostname: url.hostname, port }, environment, by);
  } catch (error) {
    if (error instanceof AddressRejected)
      return { detail: `${error.message} Use a public address.`, rejected: error };
    if (!(error instanceof HostNotFound)) throw error;
    if (error.isCertain) return { detail: 'This host does not exist.', rejected: null };
  }
  return null;
}
