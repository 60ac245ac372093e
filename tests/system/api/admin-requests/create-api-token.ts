import type { ApiTokenRole } from '@tollgate/contracts/accounts/api-token';
import { createToken } from '@tollgate/contracts/accounts/rpc';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import type { TestTeam } from '../../../support/platform/test-team.ts';

/** @returns the credential */
export async function createApiToken(
  { owner }: TestTeam,
  fields: { role: ApiTokenRole; environments?: Environment[] },
): Promise<string> {
  return shownOnce((await owner.call(createToken, { name: 'Matrix', ...fields })).secret);
}
