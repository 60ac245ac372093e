import { describe, expect, it } from 'vitest';
import { indentJson } from './indent-json.ts';

describe('indented JSON', () => {
  it('equals the output of JSON.stringify', () => {
    const value = { a: [1, [], {}, { b: null }], 'k: {"x"},[y]': 'say "\\" and \n', empty: {}, d: -1.5e3 };
    const text = JSON.stringify(value);
    expect(indentJson(text)).toBe(JSON.stringify(value, null, 2));
    expect(indentJson(JSON.stringify(value, null, 7))).toBe(JSON.stringify(value, null, 2));
  });

  it('keeps the spelling of every value', () => {
    expect(indentJson('{"n":12345678901234567890.10,"e":"\\u00e9","n":1}')).toBe(
      '{\n  "n": 12345678901234567890.10,\n  "e": "\\u00e9",\n  "n": 1\n}',
    );
  });

  it.each(['', 'OK', '<html>', '"text"', '12', 'null', '{"cut": "of'])('is null for %j', (text) => {
    expect(indentJson(text)).toBeNull();
  });
});
