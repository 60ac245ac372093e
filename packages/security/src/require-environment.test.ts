import type { TokenActor } from '@tollgate/contracts/accounts/actor';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { newId } from '@tollgate/contracts/platform/ids';
import { describe, expect, it } from 'vitest';
import { narrowEnvironment, requireAllEnvironments, requireEnvironment } from './require-environment.ts';

const forbidden = expect.objectContaining({ details: expect.objectContaining({ code: 'forbidden' }) });

function aToken(environments: Environment[] | null): TokenActor {
  return {
    type: 'token',
    token_id: newId('apiToken'),
    team_id: newId('team'),
    role: 'admin',
    environments,
    address: null,
    name: 'Deployment',
    user_agent: null,
    request_id: null,
  };
}

describe('an API token that is limited to the sandbox', () => {
  const token = aToken(['sandbox']);

  it('an API token that is limited to the sandbox has access to the sandbox only', () => {
    requireEnvironment(token, 'sandbox');
    expect(() => requireEnvironment(token, 'live')).toThrow(forbidden);
    expect(() => requireAllEnvironments(token, 'change limits')).toThrow(forbidden);
  });

  it('an API token that is limited to the sandbox reads lists of the sandbox, and no list of live', () => {
    expect(narrowEnvironment(token, undefined)).toBe('sandbox');
    expect(narrowEnvironment(token, 'sandbox')).toBe('sandbox');
    expect(() => narrowEnvironment(token, 'live')).toThrow(forbidden);
  });
});

it.each([{ environments: null }, { environments: ['live', 'sandbox'] as Environment[] }])(
  'an API token without a limit has access to both environments ($environments)',
  ({ environments }) => {
    const token = aToken(environments);
    requireAllEnvironments(token, 'change limits');
    expect(narrowEnvironment(token, undefined)).toBeUndefined();
    expect(narrowEnvironment(token, 'live')).toBe('live');
  },
);
