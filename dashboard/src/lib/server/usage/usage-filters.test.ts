import { describe, expect, it } from 'vitest';
import { readValues } from '../list/read-filters.ts';
import { showFilters } from '../list/show-filters.ts';
import { readUsageFilters, USAGE_FILTERS, usagePath } from './usage-filters.ts';

const NOW = Date.parse('2026-11-21T07:08:09.123Z');
const APPLICATION = 'app_01kaj2yzj4e8ntxj9sx3gx1xq5';
const KEY = 'key_01kaj2yzj4e8ntxj9sx3gx1xq5';
const parse = (query: string, timeZone = 'Europe/Berlin') => {
  const { request: counted, ...read } = readUsageFilters(new URLSearchParams(query), {
    timeZone,
    nowMs: NOW,
  });
  return { counted, ...read };
};

describe('the usage filters', () => {
  it('default to the last 24 hours', () => {
    const { counted, range, errors } = parse('');
    expect({ counted, errors }).toEqual({ counted: {}, errors: {} });
    expect(range).toMatchObject({ granularity: 'hour', toMs: Date.parse('2026-11-21T08:00:00Z') });
  });

  it('the usage filters select the requests to count', () => {
    const query = `application=${APPLICATION}&key=${KEY}&operation=create_payment&outcome=rate_limited`;
    expect(parse(query).counted).toEqual({
      application_id: APPLICATION,
      key_id: KEY,
      operation: 'create_payment',
      outcome: 'rate_limited',
    });
  });

  it("the usage filters read ranges in the viewer's time zone", () => {
    const { range } = parse('from=2026-11-20&from_time=14:05&to=2026-11-20&to_time=16:00');
    expect(range).toMatchObject({
      granularity: 'minute',
      fromMs: Date.parse('2026-11-20T13:05:00Z'),
      toMs: Date.parse('2026-11-20T15:00:00Z'),
    });
  });

  it('default to now without an end, and to one day before the end without a start', () => {
    expect(parse('from=2026-11-21&from_time=06:00').range).toMatchObject({
      fromMs: Date.parse('2026-11-21T05:00:00Z'),
      toMs: Date.parse('2026-11-21T07:09:00Z'),
    });
    expect(parse('to=2026-11-20&to_time=16:00').range).toMatchObject({
      fromMs: Date.parse('2026-11-19T15:00:00Z'),
      toMs: Date.parse('2026-11-20T15:00:00Z'),
    });
  });

  it.each([
    ['application=x', { application: 'Select an application.' }],
    ['key=x', { key: 'Select an API key.' }],
    ['operation=x', { operation: 'Select an operation.' }],
    ['outcome=x', { outcome: 'Select an outcome.' }],
    ['from=2026-02-31', { from: 'Enter a valid date such as 2026-11-21.' }],
    ['from=2026-11-20&to=2026-11-19', { to: 'The end must be after the start.' }],
    ['from=2026-11-22', { from: 'The start must be in the past.' }],
    ['from=2001-01-01', { to: 'Select a range of at most 1,999 days.' }],
  ])('the usage filters reject %s and return no range', (query, errors) => {
    expect(parse(query)).toMatchObject({ range: null, errors });
  });

  it('fall back to the default for an unknown period or granularity', () => {
    expect(parse('period=x&per=x').range).toEqual(parse('').range);
  });
});

it.each([
  ['', '/live/usage'],
  ['period=24h', '/live/usage'],
  ['period=7d&per=day', '/live/usage?period=7d&per=day'],
  ['period=7d&from=2026-11-20', '/live/usage?from=2026-11-20'],
])('the address of the usage page for %j is %s', (query, path) => {
  expect(usagePath('live', readValues(USAGE_FILTERS, new URLSearchParams(query)))).toBe(path);
});

it('the address of the usage page is available without each active filter; removing the application also removes the key', () => {
  const read = parse(`application=${APPLICATION}&key=${KEY}&outcome=aborted`);
  const options = { application: [{ value: APPLICATION, label: 'Shop' }] };
  const { chips: filters } = showFilters(USAGE_FILTERS, read, { path: '/live/usage', options });
  expect(filters).toEqual([
    { label: 'Application', value: 'Shop', hrefWithout: '/live/usage?outcome=aborted' },
    {
      label: 'API key',
      value: KEY,
      hrefWithout: `/live/usage?application=${APPLICATION}&outcome=aborted`,
    },
    {
      label: 'Outcome',
      value: 'Canceled by client',
      hrefWithout: `/live/usage?application=${APPLICATION}&key=${KEY}`,
    },
  ]);
});
