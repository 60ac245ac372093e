import { describe, expect, it } from 'vitest';
import { idTimeMs } from './id-time.ts';
import { ID_PREFIXES, type IdKind, isId, newId } from './ids.ts';

const kinds = Object.keys(ID_PREFIXES) as IdKind[];

describe('ids', () => {
  it.each(kinds)('ids match only their own kind: %s', (kind) => {
    const id = newId(kind);
    expect(kinds.filter((other) => isId(other, id))).toEqual([kind]);
    expect(id.startsWith(`${ID_PREFIXES[kind]}_`)).toBe(true);
  });

  it('ids are rejected when a character, the case, the length, or the range is wrong', () => {
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

  it('sort by creation time', async () => {
    const first = newId('payment');
    const millisecond = Date.now();
    while (Date.now() === millisecond);
    expect(newId('payment') > first).toBe(true);
  });

  it('ids contain their creation time to the millisecond', () => {
    const before = Date.now();
    const at = idTimeMs(newId('event'));
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
    // Example of RFC 9562, appendix A.6: 2022-02-22T19:22:22Z.
    expect(idTimeMs('evt_01fwhe4ydgfk1shh6w1g60eecf')).toBe(1_645_557_742_000);
  });
});
