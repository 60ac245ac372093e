/**
 * The numbers that card schemes issue: their first digits, as ranges of the same length, and how many digits they have.
 *
 * Source: issuer identification numbers (ISO/IEC 7812) as the schemes publish them. Of the schemes that allow 16 to 19 digits,
 * only UnionPay issues 17 and 18. Lengths that no issuer uses any more, or hardly, are left out, because one in ten ids of such a length
 * and prefix would be taken for a card: Visa with 13 digits, which also are the length of EAN-13 and of many order ids, and Maestro with 13
 * to 15 and 17, where EAN-13 of the United Kingdom begin with 5018, 5020, and 5038. Diners Club cards with 14 digits are in use.
 */
export const CARD_SCHEMES = [
  { name: 'Visa', prefixes: '4', lengths: [16, 19] },
  { name: 'Mastercard', prefixes: '51-55 2221-2720', lengths: [16] },
  { name: 'American Express', prefixes: '34 37', lengths: [15] },
  { name: 'Diners Club, 14 digits', prefixes: '36', lengths: [14] },
  { name: 'Diners Club', prefixes: '300-305 3095 38-39', lengths: [14, 16] },
  { name: 'Discover', prefixes: '6011 644-649 65', lengths: [16, 19] },
  { name: 'JCB', prefixes: '3528-3589', lengths: [16, 19] },
  { name: 'UnionPay', prefixes: '62 81', lengths: [16, 17, 18, 19] },
  { name: 'Maestro', prefixes: '5018 5020 5038 5893 6304 6759 6761-6763', lengths: [16, 18, 19] },
  { name: 'Mir', prefixes: '2200-2204', lengths: [16, 19] },
  { name: 'RuPay', prefixes: '508 60 82', lengths: [16] },
  { name: 'Dankort', prefixes: '5019', lengths: [16] },
  { name: 'Troy', prefixes: '9792', lengths: [16] },
  { name: 'Verve', prefixes: '506099-506198', lengths: [16, 18, 19] },
].map(({ name, prefixes, lengths }) => ({ name, prefixes: rangesOf(prefixes), lengths }));

function rangesOf(prefixes: string): (readonly [first: string, last: string])[] {
  return prefixes.split(' ').map((range) => {
    const [first = '', last = first] = range.split('-');
    return [first, last];
  });
}
