/*
 * MongoDB's patterns are PCRE's, in UTF mode without UCP. Where PCRE and JavaScript read the same text
 * differently, it is rewritten: `.`, `^`, `$`, `\s`, `\A`, `\z`, literal braces, the x option, POSIX classes. What has no
 * exact counterpart is refused: an answer by another rule would be silently wrong.
 */

export type Translation = { source: string; flags: string } | { unsupported: string };

const SPACE_CLASS = ' \\t\\n\\v\\f\\r';
// JavaScript's m option is never set: there `^` and `$` are the ends of the whole text.
const START = '^';
const END = '$';
/** PCRE's `^` of the m option matches after each newline but one that ends the text. */
const START_OR_AFTER_NEWLINE = '(?:^|(?<=\\n)(?!$))';
/** PCRE's `$` also matches before a newline that ends the text. */
const END_OR_LAST_NEWLINE = '(?=\\n?$)';

/** Escapes that mean the same in both. */
const SHARED_ESCAPES = /[dDwWbBnrtf]/;
const TRANSLATED_ESCAPES: Readonly<Record<string, string>> = {
  A: START,
  z: END,
  Z: END_OR_LAST_NEWLINE,
  s: `[${SPACE_CLASS}]`,
  S: `[^${SPACE_CLASS}]`,
  h: '[ \\t\\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000]',
  v: '[\\n\\v\\f\\r\\x85\\u2028\\u2029]',
  N: '[^\\n]',
  a: '\\x07',
  e: '\\x1b',
};
const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: SPACE_CLASS,
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`\\{-~',
  xdigit: '0-9a-fA-F',
  word: '\\w',
};
const QUANTIFIER = /^\{\d+(?:,\d*)?\}/;
const POSIX_CLASS = /^\[:(\^?)([a-z]+):\]/;
const INLINE_FLAGS_AT_START = /^\(\?([imsx]+)\)/;
const GROUP_START = /^\((?:\?(?::|=|!|<=|<!|<[A-Za-z_]\w*>|P<[A-Za-z_]\w*>))?/;
const HEX_ESCAPE = /^\\x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/;

class Unsupported extends Error {}

/** Rewrites a PCRE pattern with its options (of `imsux`) for JavaScript's `v` mode. */
export function translatePattern(pattern: string, options: string): Translation {
  const inline = INLINE_FLAGS_AT_START.exec(pattern);
  const flags = options + (inline?.[1] ?? '');
  try {
    const source = new Translator(inline === null ? pattern : pattern.slice(inline[0].length), flags).run();
    return { source, flags: flags.includes('i') ? 'vi' : 'v' };
  } catch (error) {
    if (error instanceof Unsupported) return { unsupported: error.message };
    throw error;
  }
}

/** A piece of the pattern: its translation, and how many of the pattern's characters it takes. */
type Piece = [translation: string, length: number];

class Translator {
  readonly pattern: string;
  readonly flags: string;
  at = 0;

  constructor(pattern: string, flags: string) {
    this.pattern = pattern;
    this.flags = flags;
  }

  run(): string {
    let source = '';
    while (this.at < this.pattern.length) {
      const [translation, length] = this.translateNext();
      source += translation;
      this.at += length;
    }
    return source;
  }

  rest(): string {
    return this.pattern.slice(this.at);
  }

  translateNext(): Piece {
    const character = this.pattern[this.at] as string;
    switch (character) {
      case '\\':
        return this.translateEscape();
      case '[':
        return this.translateClass();
      case '(':
        return this.translateGroup();
      case '.':
        return [this.flags.includes('s') ? '[\\s\\S]' : '[^\\n]', 1];
      case '^':
        return [this.flags.includes('m') ? START_OR_AFTER_NEWLINE : START, 1];
      case '$':
        return [this.flags.includes('m') ? '(?![^\\n])' : END_OR_LAST_NEWLINE, 1];
      case '{':
        return this.translateBrace();
      case '}':
      case ']':
        return [`\\${character}`, 1];
      case '#':
        return this.flags.includes('x') ? this.skipComment() : ['#', 1];
      default:
        return this.flags.includes('x') && /[ \t\n\v\f\r]/.test(character) ? ['', 1] : [character, 1];
    }
  }

  skipComment(): Piece {
    const newline = this.rest().indexOf('\n');
    return ['', newline < 0 ? this.rest().length : newline + 1];
  }

  translateBrace(): Piece {
    const quantifier = QUANTIFIER.exec(this.rest());
    return quantifier === null ? ['\\{', 1] : [quantifier[0], quantifier[0].length];
  }

  translateGroup(): Piece {
    const rest = this.rest();
    if (rest.startsWith('(*')) throw new Unsupported(`the verb '${rest.slice(0, 8)}'`);
    if (rest.startsWith('(?#')) return ['', rest.indexOf(')') + 1 || rest.length];
    const start = GROUP_START.exec(rest)?.[0] as string;
    if (start === '(' && rest[1] === '?') throw new Unsupported(`the group '${rest.slice(0, 4)}'`);
    return [start.replace('(?P<', '(?<'), start.length];
  }

  translateEscape(): Piece {
    const rest = this.rest();
    const escaped = rest[1];
    if (escaped === undefined) return ['\\', 1]; // an error in both
    if (escaped === 'Q') return this.translateQuoted();
    const hex = HEX_ESCAPE.exec(rest);
    if (hex !== null) return [`\\u{${hex[1] ?? hex[2]}}`, hex[0].length];
    // A reference to a group that took no part fails in PCRE and matches nothing, successfully, in JavaScript.
    if (/[1-9gk]/.test(escaped)) throw new Unsupported(`the back reference '\\${escaped}'`);
    if (SHARED_ESCAPES.test(escaped)) return [`\\${escaped}`, 2];
    const translated = TRANSLATED_ESCAPES[escaped];
    if (translated !== undefined) return [translated, 2];
    if (/[A-Za-z0-9]/.test(escaped)) throw new Unsupported(`'\\${escaped}'`);
    return [escapeLiteral(escaped), 2];
  }

  translateQuoted(): Piece {
    const rest = this.rest().slice(2);
    const end = rest.indexOf('\\E');
    const literal = end < 0 ? rest : rest.slice(0, end);
    return [[...literal].map(escapeLiteral).join(''), literal.length + (end < 0 ? 2 : 4)];
  }

  translateClass(): Piece {
    let read = this.at + 1;
    let content = '[';
    if (this.pattern[read] === '^') {
      content += '^';
      read += 1;
    }
    let isFirst = true;
    for (; ; isFirst = false) {
      const character = this.pattern[read];
      if (character === undefined) throw new Unsupported('a character class without its end');
      if (character === ']' && !isFirst) break;
      const [translation, length] = this.translateInClass(character, read);
      content += translation;
      read += length;
    }
    return [`${content}]`, read + 1 - this.at];
  }

  translateInClass(character: string, at: number): Piece {
    const rest = this.pattern.slice(at);
    if (character === '[') return this.translatePosixClass(rest);
    if (character === '-') return [isRangeHyphen(this.pattern, at) ? '-' : '\\-', 1];
    if (character !== '\\') return [escapeInClass(character), 1];
    const escaped = rest[1] ?? '';
    const hex = HEX_ESCAPE.exec(rest);
    if (hex !== null) return [`\\u{${hex[1] ?? hex[2]}}`, hex[0].length];
    if (/[dDwWnrtfb]/.test(escaped)) return [`\\${escaped}`, 2];
    if (/[sShv]/.test(escaped)) return [TRANSLATED_ESCAPES[escaped] as string, 2];
    if (/[ae]/.test(escaped)) return [TRANSLATED_ESCAPES[escaped] as string, 2];
    if (/[A-Za-z0-9]/.test(escaped) || escaped === '')
      throw new Unsupported(`'\\${escaped}' in a character class`);
    return [escapeInClass(escaped), 2];
  }

  translatePosixClass(rest: string): Piece {
    const posix = POSIX_CLASS.exec(rest);
    if (posix === null) {
      if (/^\[[.=]/.test(rest)) throw new Unsupported('a collating class');
      return ['\\[', 1];
    }
    const content = POSIX_CLASSES[posix[2] as string];
    if (content === undefined) throw new Unsupported(`the class [:${posix[2]}:]`);
    return [`[${posix[1]}${content}]`, posix[0].length];
  }
}

/** Whether the hyphen stands between two single characters. Otherwise PCRE reads it as itself. */
function isRangeHyphen(pattern: string, at: number): boolean {
  const before = pattern.slice(0, at);
  const isAfterClassEscape = /\\[dDwWsShv]$/.test(before) || before.endsWith(':]');
  const isFirst = /(?:^|[^\\])\[\^?$/.test(before);
  const after = pattern.slice(at + 1);
  const isBeforeEnd = after.startsWith(']') || /^(?:\\[dDwWsShv]|\[:)/.test(after);
  return !isFirst && !isAfterClassEscape && !isBeforeEnd;
}

function escapeLiteral(character: string): string {
  return /[\^$\\.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

/** In `v` mode these are operators inside of a class. */
function escapeInClass(character: string): string {
  return /[()[\]{}/\-\\|&!#$%*+,.:;<=>?@^`~"']/.test(character)
    ? `\\u{${(character.codePointAt(0) as number).toString(16)}}`
    : character;
}
