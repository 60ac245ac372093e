import type { Bus } from '@tollgate/bus/connection';
import { type RpcServerOptions, serveRpc } from '@tollgate/bus/rpc';
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
export function servePasskeyRpc(bus: Bus, context: Context, options: RpcServerOptions) {
  return [
    serveRpc(
      bus,
      contract.listPasskeys,
      async (_request, { actor }) => wholeList((await listPasskeys(context, actor)).map(passkeyToWire)),
      options,
    ),
    serveRpc(
      bus,
      contract.startPasskey,
      async (request, { actor }) => ({
        options: {
          ...(await startPasskey(context, actor, { currentPassword: request.current_password })),
        },
      }),
      options,
    ),
    serveRpc(
      bus,
      contract.createPasskey,
      async (request, { actor }) => {
        const { passkey, recoveryCodes } = await createPasskey(context, actor, request);
        return { passkey: passkeyToWire(passkey), recovery_codes: recoveryCodes };
      },
      options,
    ),
    serveRpc(
      bus,
      contract.renamePasskey,
      async ({ passkey_id: passkeyId, name }, { actor }) =>
        passkeyToWire(await renamePasskey(context, actor, { passkeyId, name })),
      options,
    ),
    serveRpc(
      bus,
      contract.deletePasskey,
      async ({ passkey_id: passkeyId, current_password: currentPassword }, { actor }) => {
        await deletePasskey(context, actor, { passkeyId, currentPassword });
        return {};
      },
      options,
    ),
  ];
}
