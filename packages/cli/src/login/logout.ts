import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ConnectionFailed, createAdminApi } from '../api/admin-api.ts';
import { credentialsPath, deleteCredentials, readCredentials } from '../api/credentials.ts';
import { RequestRejected } from '../api/request-rejected.ts';
import { type Command, EXIT_NO, EXIT_OK, UsageError } from '../command.ts';
import { parseOptions } from '../parse-options.ts';

const LOGOUT_USAGE = `Usage: tollgate logout

Revokes the stored API token, and deletes it from this machine, together with the sandbox keys that this program created for
itself. Revoke those in the dashboard if others could have read them.

Exit code: 0 signed out, 1 deleted but not revoked, 2 failed.`;

export const logout: Command = {
  summary: 'revokes and deletes the stored login',
  usage: LOGOUT_USAGE,
  async run(args, { env, print, printError }) {
    parseOptions(args, {}, LOGOUT_USAGE);
    const reason = await reasonNotRevoked(env);
    // Also when the server is unreachable: the token must not stay on a machine that its user signs out of.
    await deleteCredentials(env);
    print(`Signed out. ${credentialsPath(env)} is deleted.`);
    if (reason === null) return EXIT_OK;
    printError(`The token is still valid, because it could not be revoked. ${reason}`);
    printError('Revoke it in the dashboard: Your account → Sessions.');
    return EXIT_NO;
  },
};

/** Null if the stored token is no longer valid, or none is stored. */
async function reasonNotRevoked(env: NodeJS.ProcessEnv): Promise<string | null> {
  try {
    const credentials = await readCredentials(env);
    if (credentials === null) return null;
    await createAdminApi(credentials.admin_api_url, credentials.token).call(ADMIN_ROUTES.signOut, {});
    return null;
  } catch (error) {
    if (error instanceof RequestRejected) return error.code === 'invalid-api-token' ? null : error.message;
    if (error instanceof ConnectionFailed || error instanceof UsageError) return error.message;
    throw error;
  }
}
