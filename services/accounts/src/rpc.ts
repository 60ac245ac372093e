import type { Bus } from '@tollgate/bus/connection';
import { type RpcServer, type RpcServerOptions, serve } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/accounts/rpc';
import type { Context } from './context.ts';
import { accountHandlers } from './rpc/account.ts';
import { chatHandlers } from './rpc/chat.ts';
import { entryHandlers } from './rpc/entry.ts';
import { loginHandlers } from './rpc/logins.ts';
import { passkeyHandlers } from './rpc/passkeys.ts';
import { singleSignOnHandlers } from './rpc/single-sign-on.ts';
import { teamHandlers } from './rpc/team.ts';
import { tokenHandlers } from './rpc/tokens.ts';

/** Serves `rpc.accounts.*`. */
export function serveAccountsRpc(bus: Bus, context: Context, options: RpcServerOptions): RpcServer {
  const handlers = {
    ...entryHandlers(context),
    ...accountHandlers(context),
    ...passkeyHandlers(context),
    ...loginHandlers(context),
    ...teamHandlers(context),
    ...chatHandlers(context),
    ...singleSignOnHandlers(context),
    ...tokenHandlers(context),
  };
  return serve(bus, contract, handlers, options);
}
