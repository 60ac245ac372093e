import { EXIT_USAGE } from './command.ts';
import { runCommand } from './run-command.ts';

// A reader that closes the pipe, like `head`, does not see the result: the exit code must not claim one.
process.stdout.on('error', () => process.exit(EXIT_USAGE));

process.exitCode = await runCommand(process.argv.slice(2), {
  input: process.stdin,
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
});
