import type { ServeRpc } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import { DEFAULT_SECRET_OVERLAP_S } from '@tollgate/contracts/webhooks/webhook';
import { narrowEnvironment } from '@tollgate/security/require-environment';
import { pageReply, parsePageRequest } from '@tollgate/store/keyset-page';
import type { Context } from '../context.ts';
import { createEndpoint } from '../endpoints/create-endpoint.ts';
import { deleteEndpoint } from '../endpoints/delete-endpoint.ts';
import { disableEndpoint } from '../endpoints/disable-endpoint.ts';
import { enableEndpoint } from '../endpoints/enable-endpoint.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { findEndpoint } from '../endpoints/find-endpoint.ts';
import { getEndpointHealth } from '../endpoints/get-endpoint-health.ts';
import { revealSecret } from '../endpoints/reveal-secret.ts';
import { rotateSecret } from '../endpoints/rotate-secret.ts';
import { updateEndpoint } from '../endpoints/update-endpoint.ts';
import { createdEndpointToWire, endpointToWire, endpointWithSecretToWire, healthToWire } from '../wire.ts';

export function serveEndpointRpc(serve: ServeRpc, context: Context) {
  const now = () => new Date(context.clock.now());
  const toWire = (endpoint: Endpoint) => endpointToWire(endpoint, now());

  return [
    serve(contract.createEndpoint, async (request, { actor, idempotentCall }) => {
      const fields = {
        applicationId: request.application_id,
        environment: request.environment,
        url: request.url,
        eventTypes: request.event_types,
        description: request.description ?? '',
      };
      const created = await createEndpoint(context, actor, fields, idempotentCall);
      return createdEndpointToWire(created, now());
    }),
    serve(contract.getEndpoint, async (request, { actor }) =>
      toWire(await findEndpoint(context, actor, request.endpoint_id)),
    ),
    serve(contract.listEndpoints, async (request, { actor }) => {
      const filter = {
        applicationId: request.application_id,
        environment: narrowEnvironment(actor, request.environment),
      };
      return pageReply(
        await context.queries.run(actor.team_id, () =>
          context.endpoints.list(actor.team_id, filter, parsePageRequest(request)),
        ),
        toWire,
      );
    }),
    serve(contract.updateEndpoint, async (request, { actor }) => {
      const fields = {
        ...(request.url !== undefined && { url: request.url }),
        ...(request.event_types !== undefined && { eventTypes: request.event_types }),
        ...(request.description !== undefined && { description: request.description }),
      };
      return toWire(await updateEndpoint(context, actor, { ...endpointRef(request), fields }));
    }),
    serve(contract.deleteEndpoint, async (request, { actor }) => {
      await deleteEndpoint(context, actor, endpointRef(request));
      return {};
    }),
    serve(contract.enableEndpoint, async (request, { actor }) =>
      toWire(await enableEndpoint(context, actor, endpointRef(request))),
    ),
    serve(contract.disableEndpoint, async (request, { actor }) => {
      const reason = request.reason ?? null;
      return toWire(await disableEndpoint(context, actor, { ...endpointRef(request), reason }));
    }),
    serve(contract.rotateSecret, async (request, { actor }) => {
      const overlapMs = (request.overlap_s ?? DEFAULT_SECRET_OVERLAP_S) * 1000;
      const rotated = await rotateSecret(context, actor, { ...endpointRef(request), overlapMs });
      return endpointWithSecretToWire(rotated, now());
    }),
    serve(contract.revealSecret, async (request, { actor }) => ({
      secret: await revealSecret(context, actor, endpointRef(request)),
    })),
    serve(contract.getEndpointHealth, async (request, { actor }) =>
      healthToWire(await getEndpointHealth(context, actor, endpointRef(request))),
    ),
    serve(contract.hasEndpoints, async ({ team_id, application_id }) => ({
      has_endpoints: (await context.endpoints.count(team_id, application_id)) > 0,
    })),
  ];
}

function endpointRef(request: { endpoint_id: string; if_version?: number }) {
  return { endpointId: request.endpoint_id, ifVersion: request.if_version };
}
