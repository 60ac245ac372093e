import * as contract from '@tollgate/contracts/webhooks/rpc';
import type { WebhookEndpointWithSecret } from '@tollgate/contracts/webhooks/webhook';
import { createAddressPolicy } from '@tollgate/outbound/address-policy';
import { createCheckedAgent } from '@tollgate/outbound/checked-agent';
import { systemLookup } from '@tollgate/outbound/look-up-host';
import type { Harness, Service, TestApplication } from './harness.ts';

/** For a service that sends live events to this machine, over HTTP. */
export function agentsToThisMachine() {
  const policy = createAddressPolicy({ allowPrivateInSandbox: true, liveNetworks: [] });
  const agent = () => createCheckedAgent({ environment: 'sandbox', policy, lookup: systemLookup });
  return { live: agent(), sandbox: agent() };
}

/** A live endpoint of a receiver on this machine. The API accepts only public addresses, so the URL is changed in the store. */
export async function aLiveEndpoint(
  harness: Harness,
  service: Service,
  { application, url }: { application: TestApplication; url: string },
): Promise<WebhookEndpointWithSecret> {
  const created = await harness.anEndpoint(application, 'https://1.1.1.1/', { environment: 'live' });
  const endpoints = service.connection.collection<{ _id: string }>('endpoints');
  await endpoints.updateOne({ _id: created.id }, { $set: { url } });
  const moved = await harness.call(application.viewer, contract.getEndpoint, { endpoint_id: created.id });
  return { ...created, ...moved };
}
