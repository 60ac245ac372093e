import { expect, it } from 'vitest';
import { chartTicks } from './chart-ticks.ts';

/** A label for every n-th of 24 columns. */
const every = (step: number, text: string) =>
  Array.from({ length: 24 }, (_, column) => (column % step === 0 ? { text } : null));
const widths = (ticks: ReturnType<typeof chartTicks>) => ticks.map(({ from }) => from);

it('the labels of a chart are those that fit beside each other at its width', () => {
  expect(widths(chartTicks(every(3, '09:00')))).toEqual([
    'narrow',
    'half',
    'medium',
    'half',
    'narrow',
    'half',
    'medium',
    'half',
  ]);
  expect(widths(chartTicks(every(12, '09:00')))).toEqual(['narrow', 'narrow']);
});

it.each(['9 AM', '12:00', '23 Oct', '9:10 AM', 'Oct 2026', '2026年10月'])(
  'no two labels of a chart such as "%s" touch at the least width of their class',
  (text) => {
    for (const [least, classes] of [
      [170, ['narrow']],
      [256, ['narrow', 'medium']],
      [400, ['narrow', 'medium', 'half']],
      [560, ['narrow', 'medium', 'half', 'wide']],
    ] as const) {
      const columns = chartTicks(every(3, text))
        .filter(({ from }) => (classes as readonly string[]).includes(from))
        .map(({ column }) => column);
      const distances = columns
        .slice(1)
        .map((column, index) => ((column - (columns[index] ?? 0)) / 24) * least);
      // A character of a label is seven pixels wide at most.
      for (const distance of distances) expect(distance, `${least} px`).toBeGreaterThan(text.length * 7);
    }
  },
);

it('the labels of a narrow chart are its days rather than its times of day', () => {
  const labels = [
    { text: '12:00' },
    { text: '19 Nov', isDay: true },
    { text: '12:00' },
    { text: '20 Nov', isDay: true },
  ];
  const all = labels.flatMap((label) => [label, null, null]);
  expect(
    chartTicks(all)
      .filter(({ from }) => from === 'narrow')
      .map(({ text }) => text),
  ).not.toContain('12:00');
});
