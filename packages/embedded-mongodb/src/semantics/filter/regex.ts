import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { translatePattern } from './regex-translation.ts';

/** A regular expression of a filter: as given, and as it runs. */
export interface CompiledRegex {
  pattern: string;
  /** Sorted, of `i m s u x`. */
  options: string;
  test(text: string): boolean;
}

const OPTIONS = /^[imsux]*$/;
/** MongoDB's limit on the length of a pattern. */
const MAX_PATTERN_LENGTH = 32764;
const MAX_CACHED = 500;
const cache = new Map<string, CompiledRegex>();

/** Compiles a pattern of MongoDB's (PCRE). Constructs that JavaScript cannot run exactly so are refused. */
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
  if (!OPTIONS.test(givenOptions)) {
    throw mongoError(51108, `invalid flag in regex options: ${givenOptions}`);
  }
  if (pattern.includes('\0'))
    throw mongoError('BadValue', 'Regular expression cannot contain an embedded null byte');
  if (pattern.length > MAX_PATTERN_LENGTH) throw mongoError(51091, 'Regular expression is too long');
  const options = [...new Set(givenOptions)].sort().join('');
  const translated = translatePattern(pattern, options);
  if ('unsupported' in translated) {
    throw notImplemented(`${translated.unsupported} in the regular expression /${pattern}/`);
  }
  let regex: RegExp;
  try {
    regex = new RegExp(translated.source, translated.flags);
  } catch (error) {
    throw mongoError(51091, `Regular expression is invalid: ${(error as Error).message}`);
  }
  return { pattern, options, test: (text) => regex.test(text) };
}
