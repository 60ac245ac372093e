import Type, { type TStringOptions } from 'typebox';
import Format from 'typebox/format';

/**
 * Characters that no person types on purpose into a name or a note: controls, what reorders text (UAX #9), what no page
 * shows, and what is no character. They make two different texts look the same, and end lines in terminals, logs, and
 * exports.
 */
const HIDDEN = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}\ufff9-\ufffb]`;
/** Invisible, except for what scripts and emoji consist of: see below. */
const INVISIBLE = String.raw`(?![\u200c\u200d\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}`;
/** Joiners are spelling in some scripts, and part of emoji. They have no meaning at the end, or after other characters. */
const JOINED = String.raw`\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}`;
const UNJOINED = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}`;
const STRAY_JOINER = String.raw`(?:(?<![${JOINED}])|(?<=[${UNJOINED}]))[\u200c\u200d]|[\u200c\u200d](?![${JOINED}])`;
/** A selector chooses the form of the character before it. */
const SELECTED = String.raw`\p{Emoji}\p{S}\p{Ideographic}\p{Script=Mongolian}\p{Script=Myanmar}\p{Script=Phags_Pa}`;
const STRAY_SELECTOR = String.raw`(?<![${SELECTED}])\p{Variation_Selector}`;

const DISALLOWED = [HIDDEN, INVISIBLE, STRAY_JOINER, STRAY_SELECTOR].join('|');
const DISALLOWED_CHARACTER = new RegExp(DISALLOWED, 'u');
const DISALLOWED_CHARACTERS = new RegExp(DISALLOWED, 'gu');
const LAYOUT = /[\t\n\r]/g;
const BREAKS = /[\t-\r\x85\u2028\u2029]+/g;

/** What is wrong with a text that `isPlainText` rejects. */
export const PLAIN_TEXT_SENTENCE =
  'This must not contain control characters, such as NUL or a tab, or characters that are invisible or change the direction of the text.';

/** The one rule for the characters of free text that a caller sends. Stored text may be older than the rule. */
export function isPlainText(text: string): boolean {
  return !DISALLOWED_CHARACTER.test(text);
}

/**
 * For text that cannot be rejected, such as the name of a browser: with spaces for breaks, and without the other characters
 * that are not allowed.
 */
export function toPlainText(text: string): string {
  return text.replace(BREAKS, ' ').replace(DISALLOWED_CHARACTERS, '');
}

/** Not in the documents of the APIs: JSON Schema has no such format. */
export const PLAIN_TEXT_FORMATS = { line: 'plain-text', lines: 'plain-text-lines' } as const;

Format.Set(PLAIN_TEXT_FORMATS.line, isPlainText);
Format.Set(PLAIN_TEXT_FORMATS.lines, (text) => isPlainText(text.replace(LAYOUT, '')));

/** Free text in a request, in one line. */
export function PlainText(options: TStringOptions = {}) {
  return Type.String({ ...options, format: PLAIN_TEXT_FORMATS.line });
}

/** The same, and may have tabs and line breaks. */
export function PlainTextLines(options: TStringOptions = {}) {
  return Type.String({ ...options, format: PLAIN_TEXT_FORMATS.lines });
}
