import { RE2JS, RE2JSException } from 're2js';
import { mongoError, outOfScope } from '../../bson/mongo-error.ts';
import { keepBytes, requireSteps, STEPS_PER_MS, spendSteps } from '../../computation-limit.ts';
import { invalidRegex, type Translation, translatePattern } from './regex-translation.ts';

/** A regular expression of a filter, in source and compiled form. */
export interface CompiledRegex {
  pattern: string;
  /** `i` or empty. */
  options: string;
  test(text: string): boolean;
}

const OPTIONS = /^[imsux]*$/;
/** MongoDB's limit on the length of a pattern. */
const MAX_PATTERN_LENGTH = 32_764;
/** How many instructions an expression may compile to. Each may cost time for each character of the text. */
const MAX_INSTRUCTIONS = 5000;
const COMPILATION_STEPS = 1000;
const TRANSLATION_STEPS_PER_CHARACTER = 40;
const COMPILATION_STEPS_PER_INSTRUCTION = 200;
/** The worst case: every character leads to a new state of the automaton. */
const STEPS_PER_INSTRUCTION_AND_CHARACTER = 1;
/** `^` and literal characters: a prefix test, which needs no engine. */
const PREFIX = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[^A-Za-z0-9])*)$/u;

/*
 * Each engine keeps up to 10 MB of its automaton, which grows at about 60 MB a second while matching. After this total
 * matching time, all engines are dropped; a regular expression that is still in use is compiled again.
 */
const MAX_MATCHING_MS = 1000;
const BYTES_PER_ENGINE = 5000;
const BYTES_PER_INSTRUCTION = 200;
const MAX_CACHED = 500;
const cache = new Map<string, CompiledRegex>();
let matchingMs = 0;
let generation = 0;

/** Compiles a MongoDB (PCRE2) pattern for an engine whose matching time is linear in the length of the text. */
export function compileRegex(pattern: string, options: string): CompiledRegex {
  const key = `${options}/${pattern}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const compiled = compile(pattern, options);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, compiled);
  return compiled;
}

function compile(pattern: string, givenOptions: string): CompiledRegex {
  if (!OPTIONS.test(givenOptions)) throw mongoError(51108, `invalid flag in regex options: ${givenOptions}`);
  if (pattern.includes('\0'))
    throw mongoError('BadValue', 'Regular expression cannot contain an embedded null byte');
  if (pattern.length > MAX_PATTERN_LENGTH) throw mongoError(51091, 'Regular expression is too long');
  if (/[msux]/.test(givenOptions)) throw outOfScope(`the options ${givenOptions} of a regular expression`);
  const options = givenOptions.slice(0, 1);
  const prefix = options === 'i' ? undefined : PREFIX.exec(pattern)?.[1]?.replaceAll(/\\(.)/gsu, '$1');
  if (prefix !== undefined) return { pattern, options, test: (text) => text.startsWith(prefix) };
  spendSteps(COMPILATION_STEPS + pattern.length * TRANSLATION_STEPS_PER_CHARACTER);
  return { pattern, options, test: linearTest(translatePattern(pattern, options === 'i')) };
}

function linearTest({ source, size }: Translation): CompiledRegex['test'] {
  if (size > MAX_INSTRUCTIONS)
    throw mongoError(
      51091,
      `Regular expression is too large: it has more than ${MAX_INSTRUCTIONS} instructions`,
    );
  let engine = buildEngine(source, size);
  let builtIn = generation;
  return (text) => {
    if (builtIn !== generation) engine = buildEngine(source, size);
    builtIn = generation;
    const most = (text.length + 1) * size * STEPS_PER_INSTRUCTION_AND_CHARACTER;
    requireSteps(most);
    const startedAt = performance.now();
    const isMatch = engine.test(text);
    const ms = performance.now() - startedAt;
    countMatching(ms);
    spendSteps(Math.min(most, ms * STEPS_PER_MS));
    return isMatch;
  };
}

function buildEngine(source: string, size: number): RE2JS {
  spendSteps(size * COMPILATION_STEPS_PER_INSTRUCTION);
  keepBytes(BYTES_PER_ENGINE + size * BYTES_PER_INSTRUCTION);
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException) throw invalidRegex(error.message);
    throw error;
  }
}

function countMatching(ms: number): void {
  matchingMs += ms;
  if (matchingMs < MAX_MATCHING_MS) return;
  matchingMs = 0;
  generation += 1;
  cache.clear();
}
