import { type MongoError, mongoError, outOfScope } from '../../bson/mongo-error.ts';

/*
 * MongoDB's patterns are those of PCRE2. RE2 runs them. In scope is the syntax that both read alike: characters, classes of
 * characters and ranges, quantifiers, `^` at the start, and `$` at the end. RE2 detects invalid ranges itself.
 */

export interface Translation {
  /** The pattern in RE2's syntax. */
  source: string;
  /** About how many instructions it compiles to. */
  size: number;
}

export function invalidRegex(what: string): MongoError {
  return mongoError(51091, `Regular expression is invalid: ${what}`);
}

const CHARACTER = String.raw`\\[^A-Za-z0-9]|[^\\^$.*+?()[\]{}|]`;
const MEMBER = String.raw`(?:\\[^A-Za-z0-9]|[^\\^[\]-])`;
const ITEM = new RegExp(
  String.raw`(?:(?<any>\.)|(?<character>${CHARACTER})|\[(?<negation>\^?)(?<members>(?:${MEMBER}(?:-${MEMBER})?)+)\])` +
    String.raw`(?<quantifier>[*+?]|\{(?<least>\d+)(?:,(?<most>\d*))?\})?`,
  'suy',
);
const MEMBERS = new RegExp(`(?<first>${MEMBER})(?:-(?<last>${MEMBER}))?`, 'gsu');
/** RE2's limit. */
const MAX_REPEATS = 1000;
const INSTRUCTIONS_PER_CLASS = 5;
/** The number of characters in a range that are compiled to one instruction more if case is ignored. */
const CHARACTERS_FOLDED_PER_INSTRUCTION = 25;

/** Translates a pattern. Throws NotImplemented for syntax that is out of scope. */
export function translatePattern(pattern: string, ignoresCase: boolean): Translation {
  let source = ignoresCase ? '(?i)' : '';
  let size = 0;
  for (let at = 0; at < pattern.length; ) {
    ITEM.lastIndex = at;
    const item = ITEM.exec(pattern);
    if (item !== null) {
      const translated = translateItem(item.groups as Record<string, string | undefined>, ignoresCase);
      source += translated.source;
      size += translated.size;
      at = ITEM.lastIndex;
      continue;
    }
    if (at === 0 && pattern.startsWith('^')) source += '\\A';
    // In PCRE2, `$` also matches before a newline at the end.
    else if (at === pattern.length - 1 && pattern.endsWith('$')) source += '\\n?\\z';
    else throw outOfScope(`'${pattern.slice(at, at + 4)}' in a regular expression`);
    size += 1;
    at += 1;
  }
  return { source, size };
}

function translateItem(
  {
    any,
    character,
    negation,
    members = '',
    quantifier = '',
    least,
    most,
  }: Record<string, string | undefined>,
  ignoresCase: boolean,
): Translation {
  const repeats = Math.max(Number(least ?? 1), Number(most ?? 1), 1);
  if (repeats > MAX_REPEATS)
    throw mongoError(51091, `Regular expression is too large: it repeats more than ${MAX_REPEATS} times`);
  if (any !== undefined) return { source: `[^\\n]${quantifier}`, size: repeats * 2 };
  if (character !== undefined) return { source: escaped(character) + quantifier, size: repeats * 2 };
  let folded = 0;
  const source = members.replace(MEMBERS, (_, first: string, last = first) => {
    if (ignoresCase) folded += Math.max(codePoint(last) - codePoint(first), 0) + 1;
    return `${escaped(first)}-${escaped(last)}`;
  });
  const width = INSTRUCTIONS_PER_CLASS + folded / CHARACTERS_FOLDED_PER_INSTRUCTION;
  return { source: `[${negation}${source}]${quantifier}`, size: repeats * width };
}

/** The code point of a character, which can be escaped. */
function codePoint(text: string): number {
  return text.codePointAt(text.startsWith('\\') ? 1 : 0) as number;
}

function escaped(text: string): string {
  return `\\x{${codePoint(text).toString(16)}}`;
}
