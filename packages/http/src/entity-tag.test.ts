import { expect, test } from 'vitest';
import { entityTag, ifMatchNames, ifNoneMatchNames } from './entity-tag.ts';

const tag = entityTag(2);

test.each([
  ['the tag', '"2"'],
  ['the weak tag: it compares weakly', 'W/"2"'],
  ['a list with the tag', '"1", W/"2","3"'],
  ['a list with empty elements', ', "1",, "2" ,'],
  ['any', ' * '],
  ['a list with a comma inside a tag', '"1,x", "2"'],
])('If-None-Match: %s matches', (_what, header) => {
  expect(ifNoneMatchNames(header, tag)).toBe(true);
});

test.each([
  ['no header', undefined],
  ['another version', '"1"'],
  ['a longer version', '"22"'],
  ['the version without quotes', '2'],
  ['a lower-case weakness mark', 'w/"2"'],
  ['tags without a comma between', '"1" "2"'],
  ['the tag inside another', '"1,"2""'],
  ['nothing', ''],
  ['any inside a list', '"1", *'],
])('If-None-Match: %s does not match', (_what, header) => {
  expect(ifNoneMatchNames(header, tag)).toBe(false);
});

test.each([
  ['no header', undefined],
  ['the tag', '"2"'],
  ['a list with the tag', '"1", W/"3","2"'],
  ['any', ' * '],
])('If-Match: %s matches', (_what, header) => {
  expect(ifMatchNames(header, tag)).toBe(true);
});

test.each([
  ['another version', '"1"'],
  ['the weak tag: it compares strongly', 'W/"2"'],
  ['the version without quotes', '2'],
  ['nothing', ''],
])('If-Match: %s does not match', (_what, header) => {
  expect(ifMatchNames(header, tag)).toBe(false);
});
