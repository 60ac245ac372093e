import Type, { type Static } from 'typebox';
import { PLAIN_TEXT_FORMATS } from '../platform/plain-text.ts';
import { MapOf, TextOfPattern } from '../platform/schema.ts';

export const LABEL_LIMITS = { pairs: 20, key: 40, value: 100 } as const;

/** Without a colon, so that the first colon of `<key>:<value>` ends the key. */
const KEY = `[a-z0-9][a-z0-9_.-]{0,${LABEL_LIMITS.key - 1}}`;
/** Without control characters, so that a label fits in one line and in a query. */
const VALUE = '[^\\x00-\\x1f\\x7f]*';

/** Names and values that a team gives to an application, for example `{ "env": "prod" }`. */
export const Labels = Type.Record(Type.String(), Type.String());
export type Labels = Static<typeof Labels>;

export const LabelsInput = MapOf(
  TextOfPattern(
    '^[a-z0-9][a-z0-9_.-]*$',
    'This must start with a lowercase letter or a digit, and contain only lowercase letters, digits, and _.-',
    { maxLength: LABEL_LIMITS.key },
  ),
  TextOfPattern(`^${VALUE}$`, 'This must be a single line without control characters.', {
    maxLength: LABEL_LIMITS.value,
    format: PLAIN_TEXT_FORMATS.line,
  }),
  {
    maxProperties: LABEL_LIMITS.pairs,
    description: `At most ${LABEL_LIMITS.pairs} labels; keys of 1 to ${LABEL_LIMITS.key} lowercase letters, digits, and \`_.-\``,
  },
);

const LABEL = `^${KEY}:${VALUE}$`;
/** One label, as a filter names it: `env:prod`. */
export const LabelFilter = TextOfPattern(LABEL, 'This must be a label and its value, such as env:prod.', {
  maxLength: LABEL_LIMITS.key + 1 + LABEL_LIMITS.value,
  description: 'A label and its value, for example `env:prod`',
});

const LABEL_TEXT = new RegExp(LABEL, 'u');

export function isLabel(text: string): boolean {
  return LABEL_TEXT.test(text) && text.length - text.indexOf(':') - 1 <= LABEL_LIMITS.value;
}
