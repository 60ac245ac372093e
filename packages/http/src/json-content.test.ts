import { expect, test } from 'vitest';
import { requireJson } from './json-content.ts';

const requireType = (contentType: string | undefined, contentEncoding?: string) =>
  requireJson({ contentType, contentEncoding });
const unsupported = (detail: string) =>
  expect.objectContaining({ details: expect.objectContaining({ code: 'unsupported-media-type', detail }) });

test.each([
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'application/json; charset=utf8',
  'application/json;odata=verbose',
  'application/json;version=1;charset=UTF8',
  'application/json; profile="a, b; c"',
  'application/json ; charset=utf-8 ',
  'application/json;',
  'application/json; ;charset=utf-8;',
])('%j is a JSON content type', (type) => {
  expect(() => requireType(type)).not.toThrow();
});

test.each([
  '',
  'text/json',
  'application/jsonp',
  'application/json charset=utf-8',
  'application/json, application/json',
  'application/problem+json',
  'multipart/form-data; boundary="application/json"',
])('%j is not a JSON content type', (type) => {
  expect(() => requireType(type)).toThrow(
    unsupported('The Content-Type of the body must be application/json.'),
  );
});

test('the error names what is wrong', () => {
  expect(() => requireType(undefined)).toThrow(
    unsupported('The body has no Content-Type. Send application/json.'),
  );
  expect(() => requireType('application/json; charset=latin1')).toThrow(
    unsupported('The charset of the body must be UTF-8.'),
  );
  expect(() => requireType('application/json', 'gzip')).toThrow(
    unsupported('The body must be sent without a Content-Encoding.'),
  );
  expect(() => requireType('application/json', 'Identity')).not.toThrow();
});

test('a long header is read in linear time', () => {
  const startedAt = performance.now();
  for (const filler of [' ', '\t', ';', '; ', ' ;\t', ';charset=utf-8', ';a="', ';a="\\']) {
    for (const start of ['application/json', 'application/json;']) {
      try {
        requireType(`${start}${filler.repeat(16_384)}!`);
      } catch {
        // Either is right, if it is fast.
      }
    }
  }
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
