import { RequestRejected } from './api/request-rejected.ts';
import { backup } from './backup/backup.ts';
import { type Command, EXIT_NO, EXIT_OK, EXIT_USAGE, type Terminal, UsageError } from './command.ts';
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
import { requests } from './requests/requests.ts';
import { resetOwner } from './reset-owner/reset-owner.ts';
import { restore } from './restore/restore.ts';
import { exportCommand } from './transfer/export.ts';
import { importCommand } from './transfer/import.ts';
import { trigger } from './trigger/trigger.ts';
import { verifyAudit } from './verify-audit/verify-audit.ts';

const COMMANDS: Record<string, Command> = {
  login,
  logout,
  listen,
  trigger,
  payments,
  keys,
  requests,
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

Run tollgate <command> --help for the options of a command.`;

/** Runs the command in the arguments. Returns the exit code. */
export async function runCommand([name, ...args]: string[], terminal: Terminal): Promise<number> {
  if (name === undefined || name === '--help' || name === 'help') {
    terminal.print(HELP);
    return name === undefined ? EXIT_USAGE : EXIT_OK;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    terminal.printError(`Unknown command ${JSON.stringify(name)}.\n\n${HELP}`);
    return EXIT_USAGE;
  }
  if (args.includes('--help')) {
    terminal.print(command.usage);
    return EXIT_OK;
  }
  try {
    return await command.run(args, terminal);
  } catch (error) {
    if (error instanceof RequestRejected) {
      terminal.printError(error.message);
      return EXIT_NO;
    }
    // Never 1, Node's default for errors: that is a result.
    const isUsage = error instanceof UsageError;
    terminal.printError(isUsage ? error.message : String(error instanceof Error ? error.stack : error));
    return EXIT_USAGE;
  }
}
