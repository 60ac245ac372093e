import type { TokenActor } from '@tollgate/contracts/accounts/actor';
import { newId } from '@tollgate/contracts/platform/ids';

/** An API token of a new team, with the admin role and access to both environments, unless the fields say otherwise. */
export function token(fields: Partial<TokenActor> = {}): TokenActor {
  return {
    type: 'token',
    token_id: newId('apiToken'),
    team_id: newId('team'),
    role: 'admin',
    environments: null,
    address: '198.51.100.8',
    name: 'Deployment',
    user_agent: 'test',
    request_id: null,
    ...fields,
  };
}
