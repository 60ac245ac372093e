import './node-20.ts';
import { EXIT_USAGE } from './command.ts';
import { runCommand } from './run-command.ts';

// A reader that closes the pipe, like `head`, does not see the result: the exit code must not claim one.
process.stdout.on('error', () => process.exit(EXIT_USAGE));

process.exitCode = await runCommand(process.argv.slice(2), {
  input: process.stdin,
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  openUrl: (url) =>
    import('open')
      .then(({ default: open }) => open(url))
      .then(
        () => {},
        // The caller has printed the address.
        () => {},
      ),
  env: process.env,
  untilInterrupted() {
    const interruption = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());
    return interruption.signal;
  },
});
