import { type MongoError, mongoError, outOfScope } from '../../bson/mongo-error.ts';
import { ASSERTION, alternated, concatenated, EMPTY, type Piece, repeated, single } from './regex-piece.ts';

/*
 * MongoDB's patterns are those of PCRE2 in UTF mode without UCP. RE2 runs them. The translation rewrites syntax that the
 * engines read differently, and rejects syntax without an exact counterpart. RE2 detects most syntax errors itself.
 * https://www.pcre.org/current/doc/html/pcre2pattern.html, https://github.com/google/re2/wiki/Syntax
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

function outOfRegexScope(what: string): MongoError {
  return outOfScope(`${what} in a regular expression`);
}

/** Translates a pattern with its options (of `imsux`). Throws NotImplemented if RE2 cannot match it exactly. */
export function translatePattern(pattern: string, options: string): Translation {
  const translator = new Translator(pattern, options);
  while (translator.at < pattern.length) translator.translateNext();
  return translator.finish();
}

/** The contents of character classes. RE2 includes other characters in `\s` and `\v`. */
const SETS: Readonly<Record<string, string>> = {
  d: '\\d',
  D: '\\D',
  w: '\\w',
  W: '\\W',
  s: '\\t-\\r ',
  S: '\\x00-\\x08\\x0e-\\x1f!-\\x{10ffff}',
  h: '\\t \\xa0\\x{1680}\\x{180e}\\x{2000}-\\x{200a}\\x{202f}\\x{205f}\\x{3000}',
  v: '\\n-\\r\\x85\\x{2028}\\x{2029}',
};
const CONTROLS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** A character outside or inside a class, escaped or not. */
const CHARACTER = String.raw`\\x[0-9A-Fa-f]{2}|\\x\{[0-9A-Fa-f]{1,6}\}|\\[aefnrt]|\\[^A-Za-z0-9]|[^\\]`;
const CLASS_ITEM = new RegExp(
  String.raw`\\(?<set>[dDwWsShv])|\[:(?<sign>\^?)(?<posix>[a-z]+):\]|` +
    String.raw`(?!\[[:.=])(?<first>\\b|${CHARACTER})(?:-(?!\]|\[[:.=]|\\[dDwWsShv])(?<last>\\b|${CHARACTER}))?`,
  'suy',
);
/** Syntax that PCRE2 reads as a POSIX class and rejects outside a class. */
const LIKE_POSIX_CLASS = /\[([:.=])[^\]]*\1\]/y;
/** White space and comments of the x option. */
const IGNORED = /[\t-\r \x85\u200e\u200f\u2028\u2029]+|#[^\n]*\n?/y;
const MAX_OPEN_GROUPS = 250;
/** The cost of compiling a class in instructions, and the number of characters folded for one instruction. */
const INSTRUCTIONS_PER_CLASS = 5;
const CHARACTERS_FOLDED_PER_INSTRUCTION = 25;

type Translate = (translator: Translator, groups: readonly string[]) => void;

/** The items of a pattern. The first match applies. */
const ITEMS: readonly (readonly [shape: RegExp, translate: Translate])[] = [
  [/[\w ]/y, (translator, [character = '']) => translator.add(character)],
  [/\./y, (translator) => translator.add(translator.has('s') ? '(?s:.)' : '[^\\n]')],
  [/\^/y, (translator) => translator.addStart()],
  [/\$/y, (translator) => translator.addEnd(translator.has('m'))],
  [/\\Z/y, (translator) => translator.addEnd(false)],
  [/\\[AbBz]/y, (translator, [assertion = '']) => translator.add(assertion, ASSERTION)],
  // In RE2, option i adds the long s and the Kelvin sign to \w.
  [/\\([dDwWsShv])/y, (translator, [, set = '']) => translator.add(`(?-i:[${SETS[set]}])`)],
  [/\[\^?/y, (translator, [opening = '']) => translator.addClass(opening)],
  [/(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/y, (translator, groups) => translator.repeat(groups)],
  [/\|/y, (translator) => translator.startAlternative()],
  [/\)/y, (translator) => translator.closeGroup()],
  [/\(\?#[^)]*\)/y, () => {}],
  [/\(\?([imsx]*)(?:-([imsx]*))?([:)])/y, (translator, groups) => translator.setOptions(groups)],
  [
    /\(\?(?:P?<([A-Za-z_]\w{0,31})>|'([A-Za-z_]\w{0,31})')/y,
    (translator, [, one, other]) => translator.open(`(?P<${one ?? other}>`),
  ],
  [/\((?![?*])/y, (translator) => translator.open('(?:')],
  [/\\Q(.*?)(?:\\E|$)/sy, (translator, [, text = '']) => translator.addQuoted(text)],
  [
    new RegExp(String.raw`(?!\()(?:${CHARACTER})`, 'suy'),
    (translator, [text = '']) => translator.add(literal(characterOf(text))),
  ],
];

/** An open group, or the whole pattern. */
interface Group {
  /** The active options, of `imsx`. */
  options: string;
  alternatives: Piece[];
  /** The current alternative without its last item. */
  sequence: Piece;
  latest: Piece;
}

class Translator {
  readonly pattern: string;
  readonly groups: Group[];
  at = 0;
  source: string;

  constructor(pattern: string, options: string) {
    this.pattern = pattern;
    this.groups = [newGroup(options)];
    this.source = options.includes('i') ? '(?i)' : '';
  }

  get group(): Group {
    return this.groups.at(-1) as Group;
  }

  has(option: string): boolean {
    return this.group.options.includes(option);
  }

  /** Consumes and returns the next item if it has the given shape. */
  read(shape: RegExp): RegExpExecArray | null {
    shape.lastIndex = this.at;
    const found = shape.exec(this.pattern);
    if (found !== null) this.at += found[0].length;
    return found;
  }

  translateNext(): void {
    if (this.has('x') && this.read(IGNORED) !== null) return;
    for (const [shape, translate] of ITEMS) {
      const found = this.read(shape);
      if (found === null) continue;
      translate(this, found);
      return;
    }
    throw outOfRegexScope(`'${this.ahead()}'`);
  }

  /** The start of the remaining pattern, for messages. */
  ahead(): string {
    return this.pattern.slice(this.at, this.at + 4);
  }

  finish(): Translation {
    const { size, awaitsCharacter } = asPiece(this.group);
    if (awaitsCharacter) throw outOfRegexScope("'^' with option m in front of what may match no character");
    return { source: this.source, size };
  }

  add(source: string, piece: Piece = single()): void {
    this.source += source;
    const { group } = this;
    group.sequence = concatenated(group.sequence, group.latest);
    group.latest = piece;
  }

  /** With option m, `^` matches after each newline. Only in RE2, it also matches after a newline that ends the text. */
  addStart(): void {
    if (this.has('m')) this.add('(?m:^)', { ...ASSERTION, awaitsCharacter: true });
    else this.add('\\A', ASSERTION);
  }

  /** In PCRE2, `$` and `\Z` also match before a newline at the end. The translation is exact if nothing follows. */
  addEnd(isOfLine: boolean): void {
    if (isOfLine) this.add('(?m:$)', ASSERTION);
    else this.add('\\n?\\z', { ...ASSERTION, endsText: true });
  }

  addQuoted(text: string): void {
    for (const character of text) this.add(literal(character));
  }

  repeat([text = '', from, to]: readonly string[]): void {
    const { group } = this;
    if (!group.latest.isRepeatable) throw invalidRegex('quantifier does not follow a repeatable item');
    if (this.pattern[this.at] === '+') throw outOfRegexScope('a possessive quantifier');
    const least = from === undefined ? Number(text.startsWith('+')) : Number(from);
    group.latest = repeated(group.latest, least, Math.max(least, Number(to ?? 0)));
    this.source += text;
  }

  open(source: string, options = this.group.options): void {
    if (this.groups.length > MAX_OPEN_GROUPS) throw invalidRegex('parentheses are too deeply nested');
    this.source += source;
    this.groups.push(newGroup(options));
  }

  startAlternative(): void {
    const { group } = this;
    group.alternatives.push(concatenated(group.sequence, group.latest));
    group.sequence = EMPTY;
    group.latest = EMPTY;
    this.source += '|';
  }

  closeGroup(): void {
    const group = this.groups.pop() as Group;
    if (this.groups.length === 0) throw invalidRegex('unmatched closing parenthesis');
    this.add(')', { ...asPiece(group), isRepeatable: true });
  }

  /** `(?i-s:` for a group, `(?i-s)` for the rest of the open one. RE2 only needs the i option. */
  setOptions([text = '', on = '', off = '', end]: readonly string[]): void {
    if (text.includes('xx')) throw outOfRegexScope(`'${text}'`);
    const options = [...new Set(this.group.options + on)].filter((option) => !off.includes(option)).join('');
    const source = options.includes('i') ? '(?i' : '(?-i';
    if (end === ':') {
      this.open(`${source}:`, options);
      return;
    }
    this.add(`${source})`, EMPTY);
    this.group.options = options;
  }

  addClass(opening: string): void {
    this.at -= opening.length;
    if (this.read(LIKE_POSIX_CLASS))
      throw invalidRegex('POSIX named classes are supported only within a class');
    this.at += opening.length;
    const items: ClassItem[] = [];
    do items.push(this.readClassItem());
    while (this.pattern[this.at] !== ']');
    this.at += 1;
    // In this combination, PCRE2 ignores characters above U+00FF of one of the items.
    if (items.some((posix) => posix.isPosix && items.some((other) => other !== posix && other.isNegated)))
      throw outOfRegexScope('a class of [:name:] and a negated set');
    const source = `${opening}${items.map((item) => item.source).join('')}]`;
    const isUnfolded = this.isUnfolded(items);
    const folded = this.has('i') ? items.reduce((sum, { width }) => sum + width, 0) : 0;
    const size = INSTRUCTIONS_PER_CLASS + folded / CHARACTERS_FOLDED_PER_INSTRUCTION;
    this.add(isUnfolded ? `(?-i:${source})` : source, single(size));
  }

  /** With option i, PCRE2 does not fold `\w` and POSIX classes; RE2 folds either the whole class or nothing. */
  isUnfolded(items: readonly ClassItem[]): boolean {
    if (!this.has('i') || !items.some(({ isUnfolded }) => isUnfolded)) return false;
    if (items.some(({ width }) => width > 0))
      throw outOfRegexScope('a class of letters and \\w, \\W or [:name:] under option i');
    return true;
  }

  readClassItem(): ClassItem {
    const { set, sign, posix, first, last } = this.read(CLASS_ITEM)?.groups ?? {};
    if (last === undefined && this.pattern[this.at] === '-' && this.pattern[this.at + 1] !== ']')
      throw invalidRegex('invalid range in character class');
    if (set !== undefined)
      return {
        source: SETS[set] as string,
        isUnfolded: /[wW]/.test(set),
        isNegated: /[DWS]/.test(set),
        isPosix: false,
        width: 0,
      };
    if (posix !== undefined) {
      const name = this.has('i') && /^(?:upper|lower)$/.test(posix) ? 'alpha' : posix;
      return {
        source: `[:${sign}${name}:]`,
        isUnfolded: true,
        isNegated: sign === '^',
        isPosix: true,
        width: 0,
      };
    }
    if (this.at >= this.pattern.length) throw invalidRegex('missing terminating ] for character class');
    if (first === undefined) throw outOfRegexScope(`'${this.ahead()}' in a character class`);
    return rangeOf(characterOf(first), characterOf(last ?? first));
  }
}

/** An item of a character class. */
interface ClassItem {
  source: string;
  /** Whether option i does not affect the item. */
  isUnfolded: boolean;
  isNegated: boolean;
  isPosix: boolean;
  /** How many characters option i folds: 0 without letters. */
  width: number;
}

function rangeOf(first: string, last: string): ClassItem {
  const [low, high] = [first.codePointAt(0) as number, last.codePointAt(0) as number];
  const isCaseless = low === high ? /[\0-@[-`{-\x7f]/.test(first) : /^\d\d$/.test(first + last);
  const source = low === high ? escaped(first) : `${escaped(first)}-${escaped(last)}`;
  return {
    source,
    isUnfolded: false,
    isNegated: false,
    isPosix: false,
    width: isCaseless ? 0 : high - low + 1,
  };
}

function newGroup(options: string): Group {
  return { options, alternatives: [], sequence: EMPTY, latest: EMPTY };
}

/** The group as one piece of the enclosing group. */
function asPiece({ alternatives, sequence, latest }: Group): Piece {
  return alternatives.reduce(alternated, concatenated(sequence, latest));
}

/** The character that a piece of the pattern stands for. */
function characterOf(text: string): string {
  const control = CONTROLS[text.slice(1)];
  if (!text.startsWith('\\')) return text;
  if (!/^\\x./.test(text)) return control ?? text.slice(1);
  const code = Number.parseInt(text.replaceAll(/[\\x{}]/g, ''), 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw invalidRegex(`${text} is not a character`);
  return String.fromCodePoint(code);
}

function escaped(character: string): string {
  return `\\x{${(character.codePointAt(0) as number).toString(16)}}`;
}

function literal(character: string): string {
  return /[\w\u0080-\u{10ffff}]/u.test(character) ? character : escaped(character);
}
