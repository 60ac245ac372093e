import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { translatePattern } from './regex-translation.ts';

/** A regular expression of a filter: as given, and as it runs. */
export interface CompiledRegex {
  pattern: string;
  /** Sorted, of `i m s u x`. */
  options: string;
  test(text: string): boolean;
  /** The first match from a place on, with what its groups captured. Refuses patterns whose captures would differ. */
  find(text: string, from: number): RegExpExecArray | null;
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
  let finder: RegExp | undefined;
  return {
    pattern,
    options,
    test: (text) => regex.test(text),
    find(text, from) {
      finder ??= finderOf(regex, pattern);
      finder.lastIndex = from;
      return finder.exec(text);
    },
  };
}

function finderOf({ source, flags }: RegExp, pattern: string): RegExp {
  // Repeated, JavaScript forgets what the groups within captured before, and PCRE does not.
  if (repeatsCaptures(source)) throw notImplemented(`a repeated group that captures in /${pattern}/`);
  return new RegExp(source, `${flags}g`);
}

/** Whether a capturing group is repeated, or lies in a group that is. */
function repeatsCaptures(source: string): boolean {
  const open: { captures: boolean }[] = [];
  let classDepth = 0;
  for (let at = 0; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at += 1;
    else if (character === '[') classDepth += 1;
    else if (character === ']') classDepth -= 1;
    else if (classDepth === 0 && character === '(') {
      open.push({ captures: source[at + 1] !== '?' || /^\(\?<[^=!]/.test(source.slice(at)) });
    } else if (classDepth === 0 && character === ')') {
      const closed = open.pop();
      if (closed?.captures && /^[*+{]/.test(source.slice(at + 1))) return true;
      const outer = open.at(-1);
      if (outer !== undefined && closed?.captures) outer.captures = true;
    }
  }
  return false;
}
