import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { createApiClient } from '../api/api-client.ts';
import { credentialsPath, deleteCredentials, readCredentials } from '../api/credentials.ts';
import { RequestRejected } from '../api/request-rejected.ts';
import { type Command, EXIT_OK, NegativeResult, UsageError } from '../command.ts';
import { parseOptions } from '../parse-options.ts';

const LOGOUT_USAGE = `Usage: tollgate logout

Revokes the stored API token, and deletes it from this machine, together with the sandbox keys that this program created for
itself. Revoke those in the dashboard if others could have read them.

Exit code: 0 signed out, 1 deleted but not revoked, 2 failed.`;

export const logout: Command = {
  summary: 'revokes and deletes the stored login',
  usage: LOGOUT_USAGE,
  async run(args, { env, print }) {
    parseOptions(args, {});
    const path = credentialsPath(env);
    let outcome: string;
    try {
      outcome = await revokeToken(env);
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof NegativeResult)) throw error;
      throw new NegativeResult(
        `${path} is deleted, but its token could not be revoked, and may still be valid. ${error.message}\n` +
          'Revoke it in the dashboard: Your account → Sessions.',
      );
    } finally {
      // Also when the server is unreachable: the token must not stay on a machine that its user signs out of.
      await deleteCredentials(env);
    }
    print(outcome);
    return EXIT_OK;
  },
};

async function revokeToken(env: NodeJS.ProcessEnv): Promise<string> {
  const credentials = await readCredentials(env);
  if (credentials === null) return 'You were not signed in.';
  try {
    await createApiClient(credentials.admin_api_url, credentials.token).call(ADMIN_ROUTES.signOut, {});
    return 'Signed out. The token is revoked and deleted.';
  } catch (error) {
    if (error instanceof RequestRejected && error.problem.code === 'invalid-api-token')
      return 'Signed out. The token was already invalid. It is deleted.';
    throw error;
  }
}
