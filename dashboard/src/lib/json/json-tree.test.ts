import { expect, it } from 'vitest';
import { type JsonNode, jsonTree } from './json-tree.ts';

/** The text of a tree, without spaces. */
function textOf(node: JsonNode): string {
  if ('text' in node) return node.text;
  const parts = node.entries.map(({ key, value }) => (key === null ? '' : `${key}:`) + textOf(value));
  return node.kind === 'object' ? `{${parts.join(',')}}` : `[${parts.join(',')}]`;
}

it('the tree of a JSON text has every key and value', () => {
  const value = { a: [1, [], {}, { b: null }], 'k: {"x"},[y]': 'say "\\" and \n', empty: {}, d: -1.5e3 };
  const compact = JSON.stringify(value);
  expect(textOf(jsonTree(compact) as JsonNode)).toBe(compact);
  expect(textOf(jsonTree(JSON.stringify(value, null, 7)) as JsonNode)).toBe(compact);
});

it('the tree of a JSON text keeps the spelling of every value, and repeated keys', () => {
  const text = '{"n":12345678901234567890.10,"e":"\\u00e9","n":1,"t":[true,false,null]}';
  expect(textOf(jsonTree(text) as JsonNode)).toBe(text);
});

it('the tree of a JSON text tells strings, numbers, and literals apart', () => {
  expect(jsonTree('["1",-1,true,null]')).toMatchObject({
    entries: ['string', 'number', 'literal', 'literal'].map((kind) => ({ value: { kind } })),
  });
});

it.each(['', 'OK', '<html>', '"text"', '12', 'null', '{"cut": "of'])(
  'the tree of a JSON text is null for %j',
  (text) => {
    expect(jsonTree(text)).toBeNull();
  },
);

it('the tree of a JSON text is null for a text that is too deep to show', () => {
  expect(jsonTree('['.repeat(24) + ']'.repeat(24))).not.toBeNull();
  expect(jsonTree('['.repeat(8_000) + ']'.repeat(8_000))).toBeNull();
});
