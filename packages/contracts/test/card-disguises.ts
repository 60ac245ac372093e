/** Test card numbers that schemes and processors publish. */
export const TEST_CARDS = [
  '4242424242424242', // Visa
  '4111111111111111',
  '4012888888881881',
  '4000056655665556',
  '4000000000000000006',
  '5555555555554444', // Mastercard
  '5105105105105100',
  '5200828282828210',
  '2223003122003222',
  '2221000000000009',
  '2720990000000007',
  '378282246310005', // American Express
  '371449635398431',
  '378734493671000',
  '341111111111111',
  '30569309025904', // Diners Club
  '38520000023237',
  '36227206271667',
  '3056930009020004',
  '6011111111111117', // Discover
  '6011000990139424',
  '6011981111111113',
  '6500000000000002',
  '3530111333300000', // JCB
  '3566002020360505',
  '3566111111111113',
  '6200000000000005', // UnionPay
  '6200000000000047',
  '6205500000000000004',
  '8171999927660000',
  '6759649826438453', // Maestro
  '5018000000000009',
  '6304000000000000',
  '2200000000000004', // Mir
  '6062826786276634', // Hipercard
  '5019717010103742', // Dankort
];

type Disguise = (card: string) => string;

/** Ways in which a card number gets into a text, by accident or to pass a check. */
export const DISGUISES: Record<string, Disguise> = {
  'as it is': (card) => card,
  'in a sentence': (card) => `please charge ${card}, thanks`,
  'next to letters': (card) => `card${card}exp`,
  'in quotes': (card) => `"${card}"`,
  'in JSON': (card) => `{"pan":"${card}"}`,
  'in an address': (card) => `https://shop.example/?pan=${card}&x=1`,
  'after another number': (card) => `no. 12 ${card}`,
  'before another number': (card) => `${card} 12`,
  'with a code behind': (card) => `${card}123`,
  'with a four-digit code behind': (card) => `${card}1234`,
  'with an expiry and a code behind': (card) => `${card}1229123`,
  'with an expiry and a four-digit code behind': (card) => `${card}12291234`,
  'with an expiry and a code in groups': (card) => `${fours(card, ' ')} 12/29 123`,
  'as a UUID': (card) => uuid(card.padEnd(32, '0')),
  'in the middle of a UUID': (card) => uuid(card.padStart(26, '0').padEnd(32, '0')),
  'beside a UUID': (card) => `550e8400-e29b-41d4-a716-446655440000 ${card}`,
  'beside an IBAN': (card) => `BE68539007547034 ${card}`,
  ...separated('every digit apart, by', (card, separator) => [...card].join(separator), {
    'a space': ' ',
    'three spaces': '   ',
    'a dash': '-',
    'a dot': '.',
    'a slash': '/',
    'an underscore': '_',
    'a tab': '\t',
    'a line break': '\r\n',
    'a zero-width space': '\u200b',
    'a zero-width joiner': '\u200d',
    'three invisible characters': '\u200b\u2060\ufeff',
    'a soft hyphen': '\u00ad',
    'an emoji': '💳',
    'a right-to-left mark': '\u200f',
    'a combining line': '\u0332',
    'a variation selector and a keycap': '\ufe0f\u20e3',
  }),
  ...separated('in groups of four, apart by', fours, {
    'a space': ' ',
    'a dash': '-',
    'an en dash': '\u2013',
    'a minus sign': '\u2212',
    'a no-break space': '\u00a0',
    'a thin space': '\u2009',
    'a dot': '.',
    'a middle dot': '·',
    'a comma and a space': ', ',
    'a slash': ' / ',
    'a pipe': '|',
    'a star': ' * ',
    'a colon': ':',
    parentheses: ') (',
  }),
  ...scripts({
    'full-width': '０',
    'Arabic-Indic': '٠',
    'extended Arabic-Indic': '۰',
    Devanagari: '०',
    Bengali: '০',
    Thai: '๐',
    Adlam: '𞥐',
    'mathematical bold': '𝟎',
    'double-struck': '𝟘',
  }),
  'in encircled digits': (card) => card.replaceAll(/\d/g, (digit) => '⓪①②③④⑤⑥⑦⑧⑨'[Number(digit)] ?? ''),
  'in superscript': (card) => card.replaceAll(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? ''),
};

function fours(card: string, separator: string): string {
  return (card.match(/.{1,4}/g) ?? []).join(separator);
}

function separated(
  name: string,
  split: (card: string, separator: string) => string,
  separators: Record<string, string>,
): Record<string, Disguise> {
  return Object.fromEntries(
    Object.entries(separators).map(([of, separator]) => [`${name} ${of}`, (card) => split(card, separator)]),
  );
}

function scripts(zeros: Record<string, string>): Record<string, Disguise> {
  return Object.fromEntries(
    Object.entries(zeros).map(([script, zero]) => [
      `in ${script} digits`,
      (card) =>
        card.replaceAll(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit))),
    ]),
  );
}

function uuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
