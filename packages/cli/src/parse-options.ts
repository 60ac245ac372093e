import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { ArgumentError } from './command.ts';

/** Reads the options of a command that takes no other arguments. @throws ArgumentError */
export function parseOptions<const Config extends ParseArgsOptionsConfig>(args: string[], options: Config) {
  return rejectInvalid(() => parseArgs({ args, options }).values);
}

/** Reads options and positional arguments. @throws ArgumentError */
export function parseArguments<const Config extends ParseArgsOptionsConfig>(args: string[], options: Config) {
  return rejectInvalid(() => parseArgs({ args, options, allowPositionals: true }));
}

function rejectInvalid<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    throw new ArgumentError(`${(error as Error).message}.`.replace(/\.\.$/, '.'));
  }
}
