import type { Environment } from '@tollgate/contracts/platform/environment';
import { type AddressPolicy, createAddressPolicy, type Network } from '@tollgate/outbound/address-policy';
import { type CheckedAgent, createCheckedAgent } from '@tollgate/outbound/checked-agent';
import { createLookup, type Lookup } from '@tollgate/outbound/look-up-host';

/** What an operator allows for URLs that members choose. */
export interface AllowedNetworks {
  /** Also http, and loopback and private addresses. For development. */
  allowsPrivate: boolean;
  /** Networks besides the internet. */
  networks: readonly Network[];
  platformPorts: readonly number[];
}

/** Connections under the rules for live webhook endpoints: https, and public addresses or allowed networks. */
export interface OutsideConnections {
  /** Whose rules apply: those of the sandbox if private addresses are allowed. */
  environment: Environment;
  policy: AddressPolicy;
  lookup: Lookup;
  agent: CheckedAgent;
}

export function createOutsideConnections({
  allowsPrivate,
  networks,
  platformPorts,
}: AllowedNetworks): OutsideConnections {
  const environment = allowsPrivate ? 'sandbox' : 'live';
  const addresses = { allowPrivateInSandbox: allowsPrivate, liveNetworks: networks, platformPorts };
  const policy = createAddressPolicy(addresses);
  const lookup = createLookup(addresses);
  return { environment, policy, lookup, agent: createCheckedAgent({ environment, policy, lookup }) };
}
