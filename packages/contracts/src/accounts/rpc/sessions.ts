import Type from 'typebox';
import { Id } from '../../platform/ids.ts';
import { Page } from '../../platform/page.ts';
import { rpc } from '../../platform/rpc-contract.ts';
import { Session } from '../account.ts';
import { closed, Nothing } from './fields.ts';

export const listSessions = rpc('accounts', 'list_sessions', {
  caller: 'member',
  request: Nothing,
  reply: Page(Session),
});

export const revokeSession = rpc('accounts', 'revoke_session', {
  caller: 'member',
  request: Type.Object({ session_id: Id('session') }, closed),
  reply: Nothing,
});

/** Ends all sessions of the member, including the current one. */
export const revokeAllSessions = rpc('accounts', 'revoke_all_sessions', {
  caller: 'member',
  request: Nothing,
  reply: Nothing,
});

/** Ends the session, or revokes the API token, of the request itself. */
export const signOut = rpc('accounts', 'sign_out', {
  caller: 'member-or-token',
  request: Type.Object({}, closed),
  reply: Nothing,
});
