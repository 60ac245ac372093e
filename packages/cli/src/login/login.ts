import { hostname } from 'node:os';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { newSecret } from '@tollgate/processor-adapter/contract/signature';
import { createApiClient } from '../api/api-client.ts';
import { writeCredentials } from '../api/credentials.ts';
import { type Command, EXIT_OK, UsageError } from '../command.ts';
import { parseArguments } from '../parse-options.ts';
import { visible } from '../visible.ts';
import { awaitApproval, findInstallation } from './device-authorization.ts';

const DEFAULT_DASHBOARD = 'http://localhost:3000';

const LOGIN_USAGE = `Usage: tollgate login [<dashboard URL>] [options]

Connects this program with your account: prints a code that you confirm in the dashboard, and stores an API token that acts
for you in your configuration folder, readable by you alone.

  <dashboard URL>   by default ${DEFAULT_DASHBOARD}
  --allow-http      allows http for another machine, which others in the network can read

Scripts need no login: they set TOLLGATE_API_TOKEN and TOLLGATE_ADMIN_URL.

Exit code: 0 signed in, 1 rejected by the API, 2 failed.`;

export const login: Command = {
  summary: 'connects this program with your account',
  usage: LOGIN_USAGE,
  async run(args, { print, printError, env, untilInterrupted }) {
    const dashboardUrl = readArguments(args);
    const installation = await findInstallation(dashboardUrl);
    const { admin_api_url, live_api_url, sandbox_api_url } = installation;
    const api = createApiClient(admin_api_url, null);
    const authorization = await api.call(ADMIN_ROUTES.createDeviceAuthorization, {
      client_name: `tollgate on ${hostname()}`,
    });
    const page = new URL(installation.device_verification_url);
    page.searchParams.set('user_code', authorization.user_code);
    printError(`Open ${page.href}`);
    printError(
      `and confirm the code ${authorization.user_code}. It expires in ${authorization.expires_in / 60} minutes.`,
    );

    const { token, team } = await awaitApproval(api, authorization, untilInterrupted());
    const path = await writeCredentials(env, {
      admin_api_url,
      live_api_url,
      sandbox_api_url,
      token,
      team,
      webhook_secret: newSecret(),
      api_keys: {},
    });
    print(`Signed in to ${visible(team.name)}. The token is stored in ${path}.`);
    return EXIT_OK;
  },
};

function readArguments(args: string[]): URL {
  const options = { 'allow-http': { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArguments(args, options);
  const [address = DEFAULT_DASHBOARD, ...others] = positionals;
  if (others.length > 0 || !URL.canParse(address) || !/^https?:/.test(address))
    throw new UsageError(`Pass the URL of the dashboard, such as ${DEFAULT_DASHBOARD}.`);
  const url = new URL(address);
  if (url.protocol === 'http:' && !isThisMachine(url) && !values['allow-http'])
    throw new UsageError(`Use https for ${url.host}: with http, others in the network can read the token.`);
  return url;
}

const isThisMachine = ({ hostname: host }: URL) =>
  host === 'localhost' || host === '[::1]' || host.startsWith('127.') || host.endsWith('.localhost');
