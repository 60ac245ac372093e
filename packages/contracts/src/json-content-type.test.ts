import { expect, test } from 'vitest';
import { JSON_CONTENT_TYPE } from './json-content-type.ts';

test.each([
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'application/json ; charset=utf-8 ',
  'application/json;',
  'application/json; ;charset=utf-8;',
])('%j is a JSON content type', (type) => {
  expect(JSON_CONTENT_TYPE.test(type)).toBe(true);
});

test.each([
  '',
  'text/json',
  'application/jsonp',
  'application/json charset=utf-8',
  'application/json; charset=latin1',
  'application/json; charset="utf-8',
  'application/json, application/json',
  'application/problem+json',
])('%j is not a JSON content type', (type) => {
  expect(JSON_CONTENT_TYPE.test(type)).toBe(false);
});

test('a long invalid header is rejected in linear time', () => {
  const startedAt = performance.now();
  for (const filler of [' ', '\t', ';', '; ', ' ;\t', ';charset=utf-8']) {
    expect(JSON_CONTENT_TYPE.test(`application/json${filler.repeat(16_384)}!`)).toBe(false);
    expect(JSON_CONTENT_TYPE.test(`application/json;${filler.repeat(16_384)}!`)).toBe(false);
  }
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
