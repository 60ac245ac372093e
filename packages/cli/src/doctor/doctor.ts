import { type Clock, systemClock } from '@tollgate/runtime/clock';
import { type Command, EXIT_NO, EXIT_OK } from '../command.ts';
import { parseOptions } from '../parse-options.ts';

const USAGE = `Usage: tollgate doctor [options]

Checks a deployment in the environment of its processes: their variables, the connection to NATS and the streams, the
connection to MongoDB, the permissions and the indexes, clocks, and whether proxies send the addresses of clients.
Changes nothing.

  --role <name>[,<name>...]   processes to check: gateway, payments, applications, accounts, webhooks, usage, audit,
                              dashboard. By default the one whose user is in NATS_URL, or all whose required
                              variables are set
  --json                      prints the findings as JSON

Exit code: 0 no problem, 1 a problem, 2 not checked.`;

export const doctor = createDoctor(systemClock);

export function createDoctor(clock: Clock): Command {
  return {
    summary: 'checks the configuration, servers, indexes, and clocks of a deployment',
    usage: USAGE,
    async run(args, { env, print }) {
      const values = parseOptions(args, {
        role: { type: 'string' },
        json: { type: 'boolean', default: false },
      });
      // Loaded here, so that other commands start without the configuration of every process and the driver of MongoDB.
      const [{ diagnose }, { chooseRoles }, { formatFindings }] = await Promise.all([
        import('./diagnose.ts'),
        import('./roles.ts'),
        import('./format-findings.ts'),
      ]);
      const findings = await diagnose(env, chooseRoles(env, values.role), clock);
      const lines = values.json ? [JSON.stringify({ findings }, null, 2)] : formatFindings(findings);
      for (const line of lines) print(line);
      return findings.some(({ status }) => status === 'problem') ? EXIT_NO : EXIT_OK;
    },
  };
}
