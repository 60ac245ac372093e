import { expect, it } from 'vitest';
import { preferredLocale, requestLocale, runInLocale } from './locale.ts';

const FIXED = '-u-ca-gregory-nu-latn';

it.each([
  ['de-DE,de;q=0.9,en;q=0.8', 'de-DE'],
  ['en;q=0.8,fr-CA', 'fr-CA'],
  ['xx-XX,pt-BR;q=0.5', 'pt-BR'],
  ['de_DE,<script>,nl;q=0.1', 'nl'],
  ['ar-EG', 'ar-EG'],
  ['th-TH-u-ca-buddhist-nu-thai', 'th-TH'],
])('the locale of a request is the preferred language of %s that is known: %s', (header, locale) => {
  expect(preferredLocale(header)).toBe(locale + FIXED);
});

it.each([null, '', '*', ';', 'q=1', 'de;q=0', 'de;q=9e9', `${'x,'.repeat(10)}de`])(
  'the locale of a request is British English for the header %j',
  (header) => {
    expect(preferredLocale(header)).toBe('en-GB');
  },
);

it('the locale of a request always has Latin digits and the Gregorian calendar', () => {
  const locale = preferredLocale('fa-IR');
  expect(new Intl.NumberFormat(locale).format(12)).toBe('12');
  expect(new Intl.DateTimeFormat(locale, { year: 'numeric' }).format(Date.UTC(2026, 5))).toContain('2026');
});

it('the locale of a request differs between concurrent requests', async () => {
  const read = (locale: string) =>
    runInLocale(locale, async () => {
      await Promise.resolve();
      return requestLocale();
    });
  expect(await Promise.all([read('de-DE'), read('fr-FR')])).toEqual(['de-DE', 'fr-FR']);
  expect(requestLocale()).toBe('en-GB');
});
