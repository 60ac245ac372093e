import Type from 'typebox';
import { rpc } from '../../platform/rpc-contract.ts';
import { Member, Team } from '../account.ts';
import { closed, Email, MAX_SETUP_TOKEN_LENGTH, Name, NewPassword, Nothing, Origin } from './fields.ts';

export const getInstallation = rpc('accounts', 'installation', {
  caller: 'service',
  request: Nothing,
  reply: Type.Object({
    is_set_up: Type.Boolean(),
    sends_mail: Type.Boolean({ description: 'Whether a mail server is configured.' }),
  }),
});

/**
 * Creates the first team and its owner, once per installation, so it needs no idempotency key. `token` is the operator's
 * `SETUP_TOKEN`.
 */
export const setUp = rpc('accounts', 'setup', {
  caller: 'service',
  request: Type.Object(
    {
      token: Type.String({ minLength: 1, maxLength: MAX_SETUP_TOKEN_LENGTH }),
      email: Email,
      name: Name,
      password: NewPassword,
      team_name: Name,
      ...Origin,
    },
    closed,
  ),
  reply: Type.Object({ team: Team, member: Member }),
});
