import { Tollgate, TollgateError } from '@tollgate/sdk';
import { ConnectionFailed } from '../api/admin-api.ts';
import { RequestRejected } from '../api/request-rejected.ts';
import { requireLogin } from '../api/require-login.ts';
import type { Terminal } from '../command.ts';
import { forgetSandboxKey, sandboxKey } from './sandbox-key.ts';

/**
 * Runs calls of the public API: with the key in `TOLLGATE_API_KEY`, or in the sandbox with the key of this program.
 *
 * @throws RequestRejected, ConnectionFailed
 */
export async function withPublicApi<Result>(
  terminal: Terminal,
  application: string | undefined,
  run: (tollgate: Tollgate) => Promise<Result>,
): Promise<Result> {
  const login = await requireLogin(terminal);
  const { sandbox_api_url, live_api_url } = login.credentials;
  const ownKey = terminal.env['TOLLGATE_API_KEY'];
  const apiKey = ownKey || (await sandboxKey(login, application, terminal));
  const baseUrl = apiKey.startsWith('tg_live_') ? live_api_url : sandbox_api_url;
  try {
    return await run(new Tollgate({ apiKey, baseUrl }));
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error;
    const { status, problem, message } = error;
    if (status === undefined) throw new ConnectionFailed(`${baseUrl}: ${message}`);
    if (status === 401 && !ownKey) {
      await forgetSandboxKey(login, apiKey);
      terminal.printError(
        'The key of this program is not valid any more. Run the command again to create another one.',
      );
    }
    throw new RequestRejected(status, problem ?? {});
  }
}
