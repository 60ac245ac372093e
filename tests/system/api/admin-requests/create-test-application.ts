import { createApplication } from '@tollgate/contracts/applications/rpc';
import { SCOPE_NAMES } from '@tollgate/contracts/applications/scopes';
import type { Scene } from './prepared-request.ts';

export function createTestApplication({ team }: Scene) {
  return team.owner.call(createApplication, { name: 'Asked for', scopes: SCOPE_NAMES });
}
