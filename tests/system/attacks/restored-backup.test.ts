import { renameApplication, revokeKey, setScopes, updateKey } from '@tollgate/contracts/applications/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { withStoredDocuments } from '@tollgate/test-kit/stored-documents';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

const DATABASE = 'tollgate_applications';
/** More changes than the one that must take effect after the restore. */
const CHANGES_SINCE_BACKUP = 3;

let platform: SharedPlatform;
let team: TestTeam;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
});
afterAll(() => platform?.leave());

/** A change reaches the gateways within milliseconds of the response. */
const REACHES_GATEWAY = { timeoutMs: 1_000 };

/** Changes the application and its key a few times, and then restores the team's documents from a copy made before. */
async function restoreAfterChanges({ id, keyIds }: TestApplication): Promise<void> {
  await withStoredDocuments(platform.mongodbUrl, DATABASE, async (documents) => {
    const backup = await documents.copyOfTeam(['applications', 'api_keys'], team.id);
    for (let change = 1; change <= CHANGES_SINCE_BACKUP; change++) {
      const name = `Changed ${change}`;
      await team.owner.call(renameApplication, { application_id: id, name });
      await team.owner.call(updateKey, { key_id: keyIds.sandbox, name });
    }
    await documents.restore(backup);
  });
}

it('a scope that is removed after a restore is removed at the gateway', async () => {
  const application = await platform.createApplication(team);
  await restoreAfterChanges(application);
  const api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
  expect((await api.read('x')).status).toBe(404);

  await team.owner.call(setScopes, { application_id: application.id, scopes: ['payment:create'] });

  await eventually('the scope is gone', async () => (await api.read('x')).status === 403, REACHES_GATEWAY);
});

it('a key that is revoked after a restore is rejected by the gateway', async () => {
  const application = await platform.createApplication(team);
  await restoreAfterChanges(application);
  const api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);

  await team.owner.call(revokeKey, { key_id: application.keyIds.sandbox });

  await eventually('the key is rejected', async () => (await api.read('x')).status === 401, REACHES_GATEWAY);
});
