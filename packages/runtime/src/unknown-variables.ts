import { readFileSync } from 'node:fs';
import type { Environment, VariableTable } from './config.ts';
import { KNOWN_VARIABLES } from './known-variables.ts';
import { fileVariable } from './secret-file.ts';

const PREFIX = 'TOLLGATE_';
/** A letter that is wrong, missing, or added, or two that are exchanged. */
const MAX_TYPOS = 2;
/** Shorter names resemble others by accident, such as HOST and HOME. */
const MIN_MISSPELT_LENGTH = 8;
/** Kubernetes sets these for each service of a namespace. */
const SERVICE_LINK = /_SERVICE_HOST$|_SERVICE_PORT(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/;

/** Kubernetes reads it to insert the password into the address. */
const OTHER_READERS = ['NATS_PASSWORD', 'MONGODB_PASSWORD'];
/** Shared with the SDK of OpenTelemetry, which reads dozens of variables. */
const SHARED_FAMILIES: ReadonlySet<string> = new Set(['OTEL_']);
/** This file names the variables with the secrets of adapters. Processes that share the environment of payments see them, too. */
const FILE_WITH_NAMES = 'PROCESSORS_FILE';

export interface UnknownVariable {
  name: string;
  /** The known variable with the most similar name. */
  nearest: string;
}

/**
 * Finds variables that look like one of this process, and that no process of Tollgate reads: they begin with `TOLLGATE_`, with a word
 * that several variables of this process begin with, or are spelled almost like one.
 */
export function findUnknownVariables(env: Environment, variables: VariableTable): UnknownVariable[] {
  const own = namesOf(variables);
  const known = [...own, ...KNOWN_VARIABLES];
  const read = new Set([...known, ...OTHER_READERS, ...namesInFile(env[FILE_WITH_NAMES])]);
  const families = familiesOf(own);
  return Object.keys(env)
    .filter((name) => !read.has(name) && !isServiceLink(name, env[name]))
    .filter(
      (name) =>
        name.startsWith(PREFIX) ||
        families.has(firstWordOf(name)) ||
        (name.length >= MIN_MISSPELT_LENGTH && nearestOf(name, own).distance <= MAX_TYPOS),
    )
    .map((name) => ({ name, nearest: nearestOf(name, known).candidate }));
}

/** Warns of each variable that is probably misspelt. The process starts: an unknown variable changes nothing. */
export function warnOfUnknownVariables(
  env: Environment,
  variables: VariableTable,
  logger: { warn(message: string): void },
): void {
  for (const unknown of findUnknownVariables(env, variables)) logger.warn(describeUnknownVariable(unknown));
}

export function describeUnknownVariable({ name, nearest }: UnknownVariable): string {
  return `The variable ${name} is set, but nothing reads it. Remove it, or correct its name. The most similar variable is ${nearest}.`;
}

function namesOf(variables: VariableTable): string[] {
  const names = Object.values(variables).flatMap(({ name, isSecret }) =>
    isSecret ? [name, fileVariable(name)] : [name],
  );
  // A process can read a variable in two forms.
  return [...new Set(names)];
}

/** The beginnings, such as `WEBHOOKS_`, that at least two variables share. `NAME_FILE` is no other variable than `NAME`. */
function familiesOf(names: readonly string[]): Set<string> {
  const words = names
    .filter((name) => !names.some((other) => fileVariable(other) === name))
    .map(firstWordOf)
    .filter((word) => word !== '' && !SHARED_FAMILIES.has(word));
  return new Set(words.filter((word, index) => words.indexOf(word) !== index));
}

/** Every word that can be the name of a variable, or of the file with its value. Payments reports a file that it cannot read. */
function namesInFile(path = ''): string[] {
  if (path === '') return [];
  try {
    const words = readFileSync(path, 'utf8').match(/\w+/g) ?? [];
    return words.flatMap((word) => [word, fileVariable(word)]);
  } catch {
    return [];
  }
}

/** Empty for a name of one word, such as `HOST`. */
function firstWordOf(name: string): string {
  return name.slice(0, name.indexOf('_') + 1);
}

function isServiceLink(name: string, value = ''): boolean {
  return SERVICE_LINK.test(name) || (name.endsWith('_PORT') && value.includes('://'));
}

function nearestOf(name: string, candidates: readonly string[]): { candidate: string; distance: number } {
  let nearest = { candidate: '', distance: Number.POSITIVE_INFINITY };
  for (const candidate of candidates) {
    const distance = editDistance(name, candidate);
    if (distance < nearest.distance) nearest = { candidate, distance };
  }
  return nearest;
}

/** Levenshtein distance, row by row. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [at, other] of [...to].entries()) {
      const [left = 0, above = 0, diagonal = 0] = [next[at], row[at + 1], row[at]];
      next.push(Math.min(left + 1, above + 1, diagonal + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
