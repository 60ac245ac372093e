import { type CheckedFetch, createCheckedFetch } from '@tollgate/outbound/checked-fetch';
import { type AllowedNetworks, createOutsideConnections } from '../../outside-connections.ts';

/** Metadata and key sets have a few kilobytes; a key set with certificates has some fifty. */
const MAX_RESPONSE_BYTES = 512 * 1024;

/** Connections to the issuers that owners enter. */
export function connectToProviders(allowed: AllowedNetworks): {
  fetch: CheckedFetch;
  close(): Promise<void>;
} {
  const { agent } = createOutsideConnections(allowed);
  return {
    fetch: createCheckedFetch(agent, { maxBytes: MAX_RESPONSE_BYTES }),
    close: () => agent.close(),
  };
}
