import { expect, test } from 'vitest';
import { deprecation, deprecationHeaders } from './deprecation.ts';

const link = 'https://api.example.com/docs#migration';

test('a deprecation is sent as a structured date, an HTTP date, and a link', () => {
  const declared = deprecation({ since: '2027-03-01', sunset: '2028-06-30T12:00:00Z', link });
  expect(deprecationHeaders(declared)).toEqual({
    deprecation: '@1803859200',
    sunset: 'Fri, 30 Jun 2028 12:00:00 GMT',
    link: `<${link}>; rel="deprecation"; type="text/html"`,
  });
});

test('a deprecation gives callers exactly 12 months or more', () => {
  expect(() => deprecation({ since: '2027-03-01', sunset: '2028-03-01', link })).not.toThrow();
  expect(() => deprecation({ since: '2027-03-01', sunset: '2028-02-29', link })).toThrow(/12 months/);
});

test.each([
  { since: 'soon', sunset: '2028-03-01', link },
  { since: '2027-03-01', sunset: 'later', link },
])('a deprecation rejects a date that cannot be parsed: $since, $sunset', (dates) => {
  expect(() => deprecation(dates)).toThrow(RangeError);
});
