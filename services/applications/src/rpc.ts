import type { Bus } from '@tollgate/bus/connection';
import { type RpcServer, type RpcServerOptions, serveRpcs } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/applications/rpc';
import { pageReply, parsePageRequest } from '@tollgate/store/keyset-page';
import { archiveApplication } from './applications/archive-application.ts';
import { createApplication } from './applications/create-application.ts';
import { deleteApplication } from './applications/delete-application.ts';
import { getApplication } from './applications/get-application.ts';
import { listApplications } from './applications/list-applications.ts';
import { renameApplication } from './applications/rename-application.ts';
import { restoreApplication } from './applications/restore-application.ts';
import { setIdempotencyKeyRequirement } from './applications/set-idempotency-key-requirement.ts';
import { setLabels } from './applications/set-labels.ts';
import { setLimits } from './applications/set-limits.ts';
import { setScopes } from './applications/set-scopes.ts';
import type { Context } from './context.ts';
import { createKey } from './keys/create-key.ts';
import { getKey } from './keys/get-key.ts';
import { listKeys } from './keys/list-keys.ts';
import { revokeKey } from './keys/revoke-key.ts';
import { rotateKey } from './keys/rotate-key.ts';
import { updateKey } from './keys/update-key.ts';
import { handleLeak } from './leaks/handle-leak.ts';
import { reportLeakedKey } from './leaks/report-leaked-key.ts';
import { setLeakedKeyPolicy } from './leaks/set-leaked-key-policy.ts';
import { apiKeyToWire, applicationToWire, createdKeyToWire, leakedKeyPolicyToWire } from './wire.ts';

/** Serves `rpc.applications.*`. */
export function serveApplicationsRpc(bus: Bus, context: Context, options: RpcServerOptions): RpcServer {
  const now = () => new Date(context.clock.now());

  return serveRpcs(bus, options, (serve) => [
    serve(contract.createApplication, async (request, { actor, idempotentCall }) => {
      const { name, scopes, limits, labels, require_idempotency_key: requireIdempotencyKey } = request;
      return applicationToWire(
        await createApplication(
          context,
          actor,
          { name, scopes, limits, labels, requireIdempotencyKey },
          idempotentCall,
        ),
      );
    }),
    serve(contract.getApplication, async (request, { actor }) =>
      applicationToWire(await getApplication(context, actor, { applicationId: request.application_id })),
    ),
    serve(contract.listApplications, async (request, { actor }) => {
      const { name, label, status } = request;
      const filter = { name, label, status };
      return pageReply(
        await listApplications(context, actor, { ...parsePageRequest(request), ...filter }),
        applicationToWire,
      );
    }),
    serve(contract.renameApplication, async (request, { actor }) =>
      applicationToWire(
        await renameApplication(context, actor, { ...applicationRef(request), name: request.name }),
      ),
    ),
    serve(contract.setScopes, async (request, { actor }) =>
      applicationToWire(
        await setScopes(context, actor, { ...applicationRef(request), scopes: request.scopes }),
      ),
    ),
    serve(contract.setLimits, async (request, { actor }) =>
      applicationToWire(
        await setLimits(context, actor, { ...applicationRef(request), limits: request.limits }),
      ),
    ),
    serve(contract.setLabels, async (request, { actor }) =>
      applicationToWire(
        await setLabels(context, actor, { ...applicationRef(request), labels: request.labels }),
      ),
    ),
    serve(contract.setIdempotencyKeyRequirement, async (request, { actor }) =>
      applicationToWire(
        await setIdempotencyKeyRequirement(context, actor, {
          ...applicationRef(request),
          requireIdempotencyKey: request.require_idempotency_key,
        }),
      ),
    ),
    serve(contract.archiveApplication, async (request, { actor }) =>
      applicationToWire(await archiveApplication(context, actor, applicationRef(request))),
    ),
    serve(contract.restoreApplication, async (request, { actor }) =>
      applicationToWire(await restoreApplication(context, actor, applicationRef(request))),
    ),
    serve(contract.deleteApplication, async (request, { actor }) => {
      await deleteApplication(context, actor, applicationRef(request));
      return {};
    }),
    serve(contract.createKey, async (request, { actor, idempotentCall }) => {
      const created = await createKey(
        context,
        actor,
        {
          applicationId: request.application_id,
          name: request.name,
          environment: request.environment,
          scopes: request.scopes ?? null,
          expiresAt: request.expires_at === undefined ? null : new Date(request.expires_at),
          allowedCidrs: request.allowed_cidrs ?? [],
        },
        idempotentCall,
      );
      return createdKeyToWire(created, now());
    }),
    serve(contract.listKeys, async (request, { actor }) => {
      const page = await listKeys(context, actor, {
        ...parsePageRequest(request),
        applicationId: request.application_id,
        environment: request.environment,
        status: request.status,
        name: request.name,
        leak: request.leak,
        expiresBefore: request.expires_before === undefined ? undefined : new Date(request.expires_before),
      });
      const at = now();
      return pageReply(page, (key) => apiKeyToWire(key, at));
    }),
    serve(contract.getKey, async (request, { actor }) =>
      apiKeyToWire(await getKey(context, actor, { keyId: request.key_id }), now()),
    ),
    serve(contract.updateKey, async (request, { actor }) => {
      const { expires_at } = request;
      const key = await updateKey(context, actor, {
        keyId: request.key_id,
        ifVersion: request.if_version,
        name: request.name,
        scopes: request.scopes,
        allowedCidrs: request.allowed_cidrs,
        expiresAt: typeof expires_at === 'string' ? new Date(expires_at) : expires_at,
      });
      return apiKeyToWire(key, now());
    }),
    serve(contract.rotateKey, async (request, { actor, idempotentCall }) => {
      const overlapMs = request.overlap_s * 1000;
      const rotation = { keyId: request.key_id, overlapMs };
      return createdKeyToWire(await rotateKey(context, actor, rotation, idempotentCall), now());
    }),
    serve(contract.revokeKey, async (request, { actor }) => {
      const reason = request.reason ?? null;
      return apiKeyToWire(await revokeKey(context, actor, { keyId: request.key_id, reason }), now());
    }),
    serve(contract.handleLeak, async (request, { actor }) =>
      apiKeyToWire(await handleLeak(context, actor, { keyId: request.key_id }), now()),
    ),
    serve(contract.reportLeakedKey, async ({ lookup_id: lookupId, ...report }) => ({
      is_known: await reportLeakedKey(context, { lookupId, ...report }),
    })),
    serve(contract.getLeakedKeyPolicy, async (_request, { actor }) =>
      leakedKeyPolicyToWire(await context.leakedKeyPolicies.find(actor.team_id)),
    ),
    serve(contract.setLeakedKeyPolicy, async ({ policy, if_version: ifVersion }, { actor }) =>
      leakedKeyPolicyToWire(await setLeakedKeyPolicy(context, actor, { policy, ifVersion })),
    ),
  ]);
}

function applicationRef(request: { application_id: string; if_version?: number }) {
  return { applicationId: request.application_id, ifVersion: request.if_version };
}
