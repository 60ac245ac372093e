import type { ApiTokenRole } from '@tollgate/contracts/api-token';
import type { Environment } from '@tollgate/contracts/environment';
import { createToken } from '@tollgate/contracts/rpc/accounts';
import { shownOnce } from '@tollgate/contracts/shown-once';
import type { TestTeam } from '../../../support/platform/test-team.ts';

/** @returns the credential */
export async function createApiToken(
  { owner }: TestTeam,
  fields: { role: ApiTokenRole; environments?: Environment[] },
): Promise<string> {
  return shownOnce((await owner.call(createToken, { name: 'Matrix', ...fields })).secret);
}
