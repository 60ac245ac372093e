import type { Bus } from '@tollgate/bus/connection';
import { nothing, type RpcServer, type RpcServerOptions, serve } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/applications/rpc';
import { narrowEnvironment } from '@tollgate/security/require-environment';
import { pageReply, parsePageRequest } from '@tollgate/store/keyset-page';
import {
  archiveApplication,
  renameApplication,
  restoreApplication,
  setIdempotencyKeyRequirement,
  setLabels,
  setLimits,
  setScopes,
} from './applications/change-application.ts';
import { createApplication } from './applications/create-application.ts';
import { deleteApplication } from './applications/delete-application.ts';
import { findApplication } from './applications/find-application.ts';
import type { Context } from './context.ts';
import type { ApiKey } from './keys/api-key.ts';
import { createKey } from './keys/create-key.ts';
import type { KeyWithSecret } from './keys/credential.ts';
import { getKey } from './keys/find-key.ts';
import { revokeKey } from './keys/revoke-key.ts';
import { rotateKey } from './keys/rotate-key.ts';
import { updateKey } from './keys/update-key.ts';
import { handleLeak } from './leaks/handle-leak.ts';
import { reportLeakedKey } from './leaks/report-leaked-key.ts';
import { setLeakedKeyPolicy } from './leaks/set-leaked-key-policy.ts';
import { apiKeyToWire, createdKeyToWire, applicationToWire as wire } from './wire.ts';

/** Serves `rpc.applications.*`. */
export function serveApplicationsRpc(bus: Bus, context: Context, options: RpcServerOptions): RpcServer {
  const { applications, apiKeys, leakedKeyPolicies, queries } = context;
  const now = () => new Date(context.clock.now());
  const keyWire = (key: ApiKey) => apiKeyToWire(key, now());
  const createdWire = (created: KeyWithSecret) => createdKeyToWire(created, now());

  return serve(
    bus,
    contract,
    {
      createApplication: async (request, { actor, idempotentCall }) =>
        wire(await createApplication(context, actor, request, idempotentCall)),
      getApplication: async ({ application_id }, { actor }) =>
        wire(await findApplication(context, actor.team_id, application_id)),
      listApplications: async (request, { actor: { team_id } }) => {
        const read = () => applications.list(team_id, request, parsePageRequest(request));
        return pageReply(await queries.run(team_id, read), wire);
      },
      renameApplication: async (request, { actor }) => wire(await renameApplication(context, actor, request)),
      setScopes: async (request, { actor }) => wire(await setScopes(context, actor, request)),
      setLimits: async (request, { actor }) => wire(await setLimits(context, actor, request)),
      setLabels: async (request, { actor }) => wire(await setLabels(context, actor, request)),
      setIdempotencyKeyRequirement: async (request, { actor }) =>
        wire(await setIdempotencyKeyRequirement(context, actor, request)),
      archiveApplication: async (request, { actor }) =>
        wire(await archiveApplication(context, actor, request)),
      restoreApplication: async (request, { actor }) =>
        wire(await restoreApplication(context, actor, request)),
      deleteApplication: (request, { actor }) => nothing(deleteApplication(context, actor, request)),
      createKey: async (request, { actor, idempotentCall }) =>
        createdWire(await createKey(context, actor, request, idempotentCall)),
      listKeys: async (request, { actor }) => {
        const { team_id } = actor;
        const { application_id } = request;
        if (application_id !== undefined) await findApplication(context, team_id, application_id);
        const environment = narrowEnvironment(actor, request.environment);
        const read = () =>
          apiKeys.list(team_id, { ...request, environment }, parsePageRequest(request), now());
        return pageReply(await queries.run(team_id, read), keyWire);
      },
      getKey: async ({ key_id }, { actor }) => keyWire(await getKey(context, actor, key_id)),
      updateKey: async (request, { actor }) => keyWire(await updateKey(context, actor, request)),
      rotateKey: async (request, { actor, idempotentCall }) =>
        createdWire(await rotateKey(context, actor, request, idempotentCall)),
      revokeKey: async (request, { actor }) => keyWire(await revokeKey(context, actor, request)),
      handleLeak: async ({ key_id }, { actor }) => keyWire(await handleLeak(context, actor, key_id)),
      reportLeakedKey: async (request) => ({ is_known: await reportLeakedKey(context, request) }),
      getLeakedKeyPolicy: async (_request, { actor }) => leakedKeyPolicies.find(actor.team_id),
      setLeakedKeyPolicy: async (request, { actor }) => setLeakedKeyPolicy(context, actor, request),
    },
    options,
  );
}
