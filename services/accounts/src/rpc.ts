import type { Bus } from '@tollgate/bus/connection';
import type { RpcServerOptions } from '@tollgate/bus/rpc';
import type { Context } from './context.ts';
import { serveAccountRpc } from './rpc/account.ts';
import { serveChatRpc } from './rpc/chat.ts';
import { serveEntryRpc } from './rpc/entry.ts';
import { serveLoginRpc } from './rpc/logins.ts';
import { servePasskeyRpc } from './rpc/passkeys.ts';
import { serveSingleSignOnRpc } from './rpc/single-sign-on.ts';
import { serveTeamRpc } from './rpc/team.ts';
import { serveTokenRpc } from './rpc/tokens.ts';

/** Serves `rpc.accounts.*`. `stop` resolves when requests in flight have their replies. */
export function serveAccountsRpc(
  bus: Bus,
  context: Context,
  options: RpcServerOptions,
): { stop(): Promise<void> } {
  const servers = [
    serveEntryRpc,
    serveAccountRpc,
    servePasskeyRpc,
    serveLoginRpc,
    serveTeamRpc,
    serveChatRpc,
    serveSingleSignOnRpc,
    serveTokenRpc,
  ].flatMap((serve) => serve(bus, context, options));
  return {
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
