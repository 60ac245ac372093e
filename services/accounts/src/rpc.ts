import type { Bus } from '@tollgate/bus/connection';
import { type RpcServer, type RpcServerOptions, serveRpcs } from '@tollgate/bus/rpc';
import type { Context } from './context.ts';
import { serveAccountRpc } from './rpc/account.ts';
import { serveChatRpc } from './rpc/chat.ts';
import { serveEntryRpc } from './rpc/entry.ts';
import { serveLoginRpc } from './rpc/logins.ts';
import { servePasskeyRpc } from './rpc/passkeys.ts';
import { serveSingleSignOnRpc } from './rpc/single-sign-on.ts';
import { serveTeamRpc } from './rpc/team.ts';
import { serveTokenRpc } from './rpc/tokens.ts';

/** Serves `rpc.accounts.*`. */
export function serveAccountsRpc(bus: Bus, context: Context, options: RpcServerOptions): RpcServer {
  const groups = [
    serveEntryRpc,
    serveAccountRpc,
    servePasskeyRpc,
    serveLoginRpc,
    serveTeamRpc,
    serveChatRpc,
    serveSingleSignOnRpc,
    serveTokenRpc,
  ];
  return serveRpcs(bus, options, (serve) => groups.flatMap((group) => group(serve, context)));
}
