import { expect, it } from 'vitest';
import { drawVolumeBars } from './draw-volume-bars.ts';

const column = (at: string, heightPercent: number) => ({
  at,
  heightPercent,
  tick: '',
  label: at,
  succeededAmount: 0,
  payments: 0,
  succeeded: 0,
  failed: 0,
});

it("the volume chart draws one bar per column from left to right, as high as the column's share of the chart", () => {
  const svg = drawVolumeBars({ columns: [column('a', 100), column('b', 25), column('c', 0)] });
  const bars = [...svg.matchAll(/<rect[^>]*>/g)].map(([rect]) => ({
    x: Number(/ x="([^"]+)"/.exec(rect)?.[1]),
    height: Number(/ height="([^"]+)"/.exec(rect)?.[1]),
  }));
  expect(bars.map(({ height }) => height)).toEqual([100, 25, 0]);
  expect(bars.map(({ x }) => x)).toEqual(bars.map(({ x }) => x).sort((a, b) => a - b));
  expect(svg).toMatch(/^<svg viewBox="0 0 100 100"/);
  expect(svg).not.toContain('<!--');
});
