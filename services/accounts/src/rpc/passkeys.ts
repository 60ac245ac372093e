import { type Handlers, nothing } from '@tollgate/bus/rpc';
import type * as contract from '@tollgate/contracts/accounts/rpc';
import { wholeList } from '@tollgate/contracts/platform/page';
import { findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { createPasskey, startPasskey } from '../passkeys/add-passkey.ts';
import { deletePasskey, renamePasskey } from '../passkeys/change-passkeys.ts';
import { passkeyToWire } from './wire.ts';

/** Methods for a member's own passkeys, available to every role. */
export function passkeyHandlers(context: Context) {
  return {
    /** Oldest first. */
    async listPasskeys(_request, { actor }) {
      const { member } = await findActingMember(context, actor);
      return wholeList(member.passkeys.map(passkeyToWire));
    },
    startPasskey: async (request, { actor }) => ({
      options: { ...(await startPasskey(context, actor, request)) },
    }),
    async createPasskey(request, { actor }) {
      const { passkey, recoveryCodes } = await createPasskey(context, actor, request);
      return { passkey: passkeyToWire(passkey), recovery_codes: recoveryCodes };
    },
    renamePasskey: async (request, { actor }) => passkeyToWire(await renamePasskey(context, actor, request)),
    deletePasskey: (request, { actor }) => nothing(deletePasskey(context, actor, request)),
  } satisfies Partial<Handlers<typeof contract>>;
}
