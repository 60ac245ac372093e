import { createAddressPolicy, type Network } from '@tollgate/outbound/address-policy';
import { createCheckedAgent } from '@tollgate/outbound/checked-agent';
import { type CheckedFetch, createCheckedFetch } from '@tollgate/outbound/checked-fetch';
import { createLookup } from '@tollgate/outbound/look-up-host';

/** Metadata and key sets have a few kilobytes; a key set with certificates has some fifty. */
const MAX_RESPONSE_BYTES = 512 * 1024;

/**
 * Connections to the issuers that owners enter, under the rules for live webhook endpoints: https, and public addresses or networks of
 * the operator. In development, under those for the sandbox.
 */
export function connectToProviders({
  allowsPrivate,
  networks,
}: {
  allowsPrivate: boolean;
  networks: readonly Network[];
}): { fetch: CheckedFetch; close(): Promise<void> } {
  const addresses = { allowPrivateInSandbox: allowsPrivate, liveNetworks: networks };
  const agent = createCheckedAgent({
    environment: allowsPrivate ? 'sandbox' : 'live',
    policy: createAddressPolicy(addresses),
    lookup: createLookup(addresses),
  });
  return {
    fetch: createCheckedFetch(agent, { maxBytes: MAX_RESPONSE_BYTES }),
    close: () => agent.close(),
  };
}
