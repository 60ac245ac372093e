import manifest from '../package.json' with { type: 'json' };
import { backup } from './backup/backup.ts';
import { ArgumentError, type Command, EXIT_OK, EXIT_USAGE, type Terminal } from './command.ts';
import { completion } from './completion/completion.ts';
import { deadLetters } from './dead-letters/dead-letters.ts';
import { doctor } from './doctor/doctor.ts';
import { keys } from './keys/keys.ts';
import { listen } from './listen/listen.ts';
import { login } from './login/login.ts';
import { logout } from './login/logout.ts';
import { migrate } from './migrate/migrate.ts';
import { payments } from './payments/payments.ts';
import { processor } from './processor/processor.ts';
import { reportError } from './report-error.ts';
import { requests } from './requests/requests.ts';
import { resetOwner } from './reset-owner/reset-owner.ts';
import { restore } from './restore/restore.ts';
import { exportCommand } from './transfer/export.ts';
import { importCommand } from './transfer/import.ts';
import { trigger } from './trigger/trigger.ts';
import { verifyAudit } from './verify-audit/verify-audit.ts';
import { deliveries } from './webhooks/deliveries.ts';
import { endpoints } from './webhooks/endpoints.ts';
import { events } from './webhooks/events.ts';

const COMMANDS: Record<string, Command> = {
  login,
  logout,
  listen,
  trigger,
  payments,
  keys,
  requests,
  endpoints,
  events,
  deliveries,
  processor,
  'verify-audit': verifyAudit,
  'dead-letters': deadLetters,
  'reset-owner': resetOwner,
  doctor,
  migrate,
  backup,
  restore,
  export: exportCommand,
  import: importCommand,
  completion: completion(() => COMMANDS),
};

const NAME_WIDTH = Math.max(...Object.keys(COMMANDS).map(({ length }) => length)) + 3;
const HELP = `Usage: tollgate <command> [options]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(NAME_WIDTH)}${summary}`)
  .join('\n')}

Run tollgate help <command> for the options of a command, and tollgate --version for the version.`;

const HELP_OPTIONS = ['--help', '-h'];

/** Runs the command that the words name. Returns the exit code. */
export async function runCommand(words: string[], terminal: Terminal): Promise<number> {
  const [first, ...rest] = words;
  if (first === '--version') return print(manifest.version, terminal);
  // `help keys` is `keys --help`, and `help` is `--help`.
  const [name, ...args] = first === 'help' ? [...rest, '--help'] : words;
  if (name === undefined || HELP_OPTIONS.includes(name)) {
    print(HELP, terminal);
    return name === undefined ? EXIT_USAGE : EXIT_OK;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (!command) throw new ArgumentError(`Unknown command ${JSON.stringify(name)}.`);
    if (args.some((word) => HELP_OPTIONS.includes(word))) return print(command.usage, terminal);
    return await command.run(args, terminal);
  } catch (error) {
    return reportError(error, { usage: command?.usage ?? HELP, isJson: args.includes('--json') }, terminal);
  }
}

function print(text: string, terminal: Terminal): number {
  terminal.print(text);
  return EXIT_OK;
}
