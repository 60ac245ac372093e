import { describe, expect, it } from 'vitest';
import { ID_PREFIXES, type IdKind, isId, newId } from './ids.ts';

const kinds = Object.keys(ID_PREFIXES) as IdKind[];

describe('ids', () => {
  it.each(kinds)('a new %s id is one of its kind and of no other', (kind) => {
    const id = newId(kind);
    expect(kinds.filter((other) => isId(other, id))).toEqual([kind]);
    expect(id.startsWith(`${ID_PREFIXES[kind]}_`)).toBe(true);
  });

  it('are refused when a character, the case, the length or the range is wrong', () => {
    const id = newId('payment');
    const suffix = id.slice('pay_'.length);
    for (const wrong of [
      `${id}0`,
      id.slice(0, -1),
      id.toUpperCase(),
      `pay_8${suffix.slice(1)}`,
      `pay_${'u'.repeat(26)}`,
      `${id}\n`,
    ]) {
      expect(isId('payment', wrong)).toBe(false);
    }
  });

  it('sort by the time of their creation', async () => {
    const first = newId('payment');
    const millisecond = Date.now();
    while (Date.now() === millisecond);
    expect(newId('payment') > first).toBe(true);
  });
});
