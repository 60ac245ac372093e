import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { parseSecrets, type SigningSecrets } from '@tollgate/processor-adapter/contract/signature';
import { ArgumentError, type Command, EXIT_NO, EXIT_OK, UsageError } from '../command.ts';
import { parseArguments } from '../parse-options.ts';
import { readOneOf } from '../read-arguments.ts';
import { readSecret } from '../read-secret.ts';
import { formatReport } from './format-report.ts';
import type { RelayOptions } from './relay.ts';
import { SCENARIOS } from './scenario-names.ts';
import { readScenarios } from './scenarios.ts';
import { type TestOptions, testAdapter } from './test-adapter.ts';

const USAGE = `Usage: tollgate processor test <url> [options]

Calls a processor adapter as Tollgate does, and reports each rule of the adapter contract that it breaks. Starts and
cancels payments at the processor: test an adapter with test credentials.

  --secrets-env <name>          variable with the secrets of the adapter; by default TOLLGATE_SECRETS
  --secret <whsec_...>          the secret itself, which other users of the machine can see
  --environment <name>          sandbox (default) or live
  --currency <code>             currency of the payments; by default EUR
  --payment-method <scenario>=<token>
                                token whose payment has this outcome; repeatable
  --scenarios <file>            JSON file with scenarios, and with what the payer does
  --scenario <name>             runs only the checks of this scenario; repeatable
  --processor <port>=<url>      carries requests of the adapter to the processor: set this port as the processor's URL in
                                the adapter. Tests lost responses, errors, and amounts
  --webhooks <port>=<url>       carries webhooks of the processor to the adapter's webhook listener. Tests forged webhooks
  --callback-host <address>     address of the ports that the suite opens; by default 127.0.0.1
  --callback-port <port>        port that receives callbacks of the adapter; by default any
  --json                        prints the report as JSON

Scenarios: ${SCENARIOS.join(', ')}.

Exit code: 0 conforms, 1 breaks a rule, 2 not tested.`;

/** As the contract says. */
const RESPONSE_DEADLINE_MS = 10_000;
/** Time for a webhook of the processor and the callback after it. */
const CHANGE_DEADLINE_MS = 30_000;
const DEFAULT_SECRETS_ENV = 'TOLLGATE_SECRETS';

export const processor: Command = {
  summary: 'tests a processor adapter',
  usage: USAGE,
  actions: ['test'],
  async run(args, { print, printError, env }) {
    const { options, isJson } = await readArguments(args, env);
    const results = await testAdapter(options, (port) => {
      const { host } = options.callbacks;
      printError(`Receiving callbacks at http://${host}:${port}/v1/processor-events/{processor}.`);
    });
    const conforms = results.every(({ outcome }) => outcome !== 'failed');
    const lines = isJson ? [JSON.stringify({ conforms, results }, null, 2)] : formatReport(results);
    for (const line of lines) print(withoutSecrets(line, options.secrets));
    return conforms ? EXIT_OK : EXIT_NO;
  },
};

/** A response of the adapter could contain them. */
function withoutSecrets(text: string, secrets: SigningSecrets): string {
  const encoded = secrets.map((key) => key.toString('base64').replace(/=+$/, ''));
  return encoded.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}

async function readArguments(
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ options: TestOptions; isJson: boolean }> {
  const { values, positionals } = parse(args);
  const [action, address, ...others] = positionals;
  if (action !== 'test' || address === undefined || others.length > 0)
    throw new ArgumentError('Pass "test" and the URL of one adapter.');
  const secretsEnv = values['secrets-env'];
  const options = {
    url: readUrl(address),
    secrets: readSecrets(values.secret, secretsEnv, env),
    secretsEnv,
    environment: readOneOf('--environment', ENVIRONMENTS, values.environment),
    currency: readCurrency(values.currency),
    scenarios: await readScenarios(values.scenarios, values['payment-method']),
    only: values.scenario.map((name) => readOneOf('--scenario', SCENARIOS, name)),
    callbacks: { host: values['callback-host'], port: readPort('--callback-port', values['callback-port']) },
    relays: {
      processor: readRelay('--processor', values.processor),
      webhooks: readRelay('--webhooks', values.webhooks),
    },
    responseDeadlineMs: RESPONSE_DEADLINE_MS,
    changeDeadlineMs: CHANGE_DEADLINE_MS,
  };
  return { options, isJson: values.json };
}

function parse(args: string[]) {
  return parseArguments(args, {
    secret: { type: 'string' },
    'secrets-env': { type: 'string', default: DEFAULT_SECRETS_ENV },
    environment: { type: 'string', default: 'sandbox' },
    currency: { type: 'string', default: 'EUR' },
    'payment-method': { type: 'string', multiple: true, default: [] },
    scenarios: { type: 'string' },
    scenario: { type: 'string', multiple: true, default: [] },
    processor: { type: 'string' },
    webhooks: { type: 'string' },
    'callback-host': { type: 'string', default: '127.0.0.1' },
    'callback-port': { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  });
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username)
    throw new UsageError('The URL must be the http or https address of the adapter, without a query.');
  return url.href.replace(/\/+$/, '');
}

function readSecrets(secret: string | undefined, name: string, env: NodeJS.ProcessEnv): SigningSecrets {
  const text = secret ?? readSecret(env, name);
  if (text === '')
    throw new UsageError(
      `Set ${name} to the secret that the adapter uses, or name its variable with --secrets-env.`,
    );
  try {
    return parseSecrets(text);
  } catch (error) {
    throw new UsageError(`${secret === undefined ? name : '--secret'} ${(error as Error).message}.`);
  }
}

function readCurrency(text: string): string {
  if (!/^[A-Z]{3}$/.test(text)) throw new UsageError('--currency must be an ISO 4217 code, such as EUR.');
  return text;
}

function readRelay(option: string, text: string | undefined): RelayOptions | null {
  if (text === undefined) return null;
  const [, port = '', target = ''] = /^(\d+)=(.+)$/.exec(text) ?? [];
  const url = URL.canParse(target) ? new URL(target) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search)
    throw new UsageError(`${option} must be PORT=URL, with an http or https URL that has no path.`);
  return { port: readPort(option, port), target: url.origin };
}

function readPort(option: string, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new UsageError(`${option} must have a port, or 0 for any.`);
  return port;
}
