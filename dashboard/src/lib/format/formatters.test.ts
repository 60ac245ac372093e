import { expect, it } from 'vitest';
import { dateTimeFormat, numberFormat } from './formatters.ts';
import { provideLocale } from './locale.ts';

it('formatters are created once for each locale and set of options', () => {
  const digits = { minimumFractionDigits: 2 };
  expect(numberFormat({ ...digits })).toBe(numberFormat({ ...digits }));
  expect(numberFormat(digits)).not.toBe(numberFormat());
  expect(numberFormat(digits, 'de-DE').format(1.5)).toBe('1,50');
  expect(dateTimeFormat({ timeZone: 'UTC' })).not.toBe(dateTimeFormat({ timeZone: 'Europe/Berlin' }));
});

it('formatters follow the locale of the request', () => {
  provideLocale(() => 'de-DE');
  expect(numberFormat().format(1_234.5)).toBe('1.234,5');
  provideLocale(() => 'en-GB');
  expect(numberFormat().format(1_234.5)).toBe('1,234.5');
});

it('formatters are correct for any number of time zones', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  for (const timeZone of [...zones, ...zones])
    expect(dateTimeFormat({ timeZone }).resolvedOptions().timeZone).toBe(timeZone);
});
