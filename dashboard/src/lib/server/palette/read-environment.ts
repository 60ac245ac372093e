import type { Environment } from '@tollgate/contracts/platform/environment';

/** The environment that is open in the browser. */
export function readEnvironment(url: URL): Environment {
  return url.searchParams.get('environment') === 'live' ? 'live' : 'sandbox';
}
