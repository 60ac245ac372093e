import type { applicationRoutes, keyRoutes } from '@tollgate/contracts/admin-api/applications-routes';
import * as applications from '@tollgate/contracts/applications/rpc';
import { SCOPE_NAMES } from '@tollgate/contracts/applications/scopes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { archiveForDeletion } from '../../../support/platform/archive-for-deletion.ts';
import { createTestApplication } from './create-test-application.ts';
import { plain, type Requests, type Scene } from './prepared-request.ts';

/** A request about an application with a key of the environment: only an application with live keys affects live. */
const ofApplication =
  <More extends object>(more: More) =>
  async (scene: Scene, { environment }: { environment: Environment }) => ({
    request: { application_id: (await createTestKey(scene, environment)).application_id, ...more },
  });

const ofKey =
  <More extends object>(more: More) =>
  async (scene: Scene, { environment }: { environment: Environment }) => ({
    request: { key_id: (await createTestKey(scene, environment)).id, ...more },
  });

export const applicationRequests: Requests<typeof applicationRoutes> = {
  listApplications: plain({}),
  createApplication: plain({ name: 'Made', scopes: SCOPE_NAMES }),
  getApplication: ofApplication({}),
  renameApplication: ofApplication({ name: 'Renamed' }),
  setScopes: ofApplication({ scopes: SCOPE_NAMES.slice(0, 1) }),
  setLimits: ofApplication({
    limits: {
      live: { requests_per_second: 1, burst: 2 },
      sandbox: { requests_per_second: 1, burst: 2 },
    },
  }),
  setLabels: ofApplication({ labels: { env: 'prod' } }),
  setIdempotencyKeyRequirement: async (scene, at) => {
    const { request } = await ofApplication({})(scene, at);
    const changed = { live: at.environment === 'sandbox', sandbox: at.environment === 'sandbox' };
    return { request: { ...request, require_idempotency_key: changed } };
  },
  archiveApplication: ofApplication({}),
  restoreApplication: async (scene, { environment }) => {
    const { application_id } = await createTestKey(scene, environment);
    await scene.team.owner.call(applications.archiveApplication, { application_id });
    return { request: { application_id } };
  },
  deleteApplication: async (scene, { environment }) => {
    const { application_id } = await createTestKey(scene, environment);
    await archiveForDeletion(scene.platform, scene.team.owner, application_id);
    return { request: { application_id } };
  },
};

export const keyRequests: Requests<typeof keyRoutes> = {
  listKeys: ofApplication({}),
  listTeamKeys: plain({ status: 'active' as const }),
  createKey: async (scene, at) => {
    const { request } = await ofApplication({})(scene, at);
    return { request: { ...request, name: 'Made', environment: at.environment } };
  },
  getKey: ofKey({}),
  updateKey: ofKey({ name: 'Renamed' }),
  rotateKey: ofKey({ overlap_s: 60 }),
  revokeKey: ofKey({}),
  handleLeak: ofKey({}),
  getLeakedKeyPolicy: plain({}),
  setLeakedKeyPolicy: plain({ policy: 'flag' as const }),
};

async function createTestKey(scene: Scene, environment: Environment) {
  const { call } = scene.team.owner;
  const { id } = await createTestApplication(scene);
  return call(applications.createKey, { application_id: id, name: 'Asked for', environment });
}
