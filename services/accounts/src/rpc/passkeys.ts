import type { ServeRpc } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { wholeList } from '@tollgate/contracts/platform/page';
import type { Context } from '../context.ts';
import { createPasskey } from '../passkeys/create-passkey.ts';
import { deletePasskey } from '../passkeys/delete-passkey.ts';
import { listPasskeys } from '../passkeys/list-passkeys.ts';
import { renamePasskey } from '../passkeys/rename-passkey.ts';
import { startPasskey } from '../passkeys/start-passkey.ts';
import { passkeyToWire } from './wire.ts';

/** Methods for a member's own passkeys, available to every role. */
export function servePasskeyRpc(serve: ServeRpc, context: Context) {
  return [
    serve(contract.listPasskeys, async (_request, { actor }) =>
      wholeList((await listPasskeys(context, actor)).map(passkeyToWire)),
    ),
    serve(contract.startPasskey, async (request, { actor }) => ({
      options: {
        ...(await startPasskey(context, actor, { currentPassword: request.current_password })),
      },
    })),
    serve(contract.createPasskey, async (request, { actor }) => {
      const { passkey, recoveryCodes } = await createPasskey(context, actor, request);
      return { passkey: passkeyToWire(passkey), recovery_codes: recoveryCodes };
    }),
    serve(contract.renamePasskey, async ({ passkey_id: passkeyId, name }, { actor }) =>
      passkeyToWire(await renamePasskey(context, actor, { passkeyId, name })),
    ),
    serve(
      contract.deletePasskey,
      async ({ passkey_id: passkeyId, current_password: currentPassword }, { actor }) => {
        await deletePasskey(context, actor, { passkeyId, currentPassword });
        return {};
      },
    ),
  ];
}
