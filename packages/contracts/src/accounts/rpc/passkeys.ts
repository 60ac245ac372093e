import Type from 'typebox';
import { Id } from '../../platform/ids.ts';
import { Page } from '../../platform/page.ts';
import { rpc } from '../../platform/rpc-contract.ts';
import { NewCredential, Passkey, PasskeyName, PasskeyOptions } from '../passkey.ts';
import { closed, Nothing, Password } from './fields.ts';

/**
 * Creates a challenge for a new passkey, to be signed within five minutes. Takes no idempotency key: an unused challenge
 * expires.
 */
export const startPasskey = rpc('accounts', 'start_passkey', {
  caller: 'member',
  request: Type.Object({ current_password: Password }, closed),
  reply: PasskeyOptions,
});

/** Takes no idempotency key: a challenge is used once. */
export const createPasskey = rpc('accounts', 'create_passkey', {
  caller: 'member',
  request: Type.Object({ name: PasskeyName, credential: NewCredential }, closed),
  reply: Type.Object({
    passkey: Passkey,
    recovery_codes: Type.Array(Type.String(), {
      description: 'Returned once, with the first second factor of the member; else empty',
    }),
  }),
});

export const listPasskeys = rpc('accounts', 'list_passkeys', {
  caller: 'member',
  request: Nothing,
  reply: Page(Passkey),
});

export const renamePasskey = rpc('accounts', 'rename_passkey', {
  caller: 'member',
  request: Type.Object({ passkey_id: Id('passkey'), name: PasskeyName }, closed),
  reply: Passkey,
});

export const deletePasskey = rpc('accounts', 'delete_passkey', {
  caller: 'member',
  request: Type.Object({ passkey_id: Id('passkey'), current_password: Password }, closed),
  reply: Nothing,
});
