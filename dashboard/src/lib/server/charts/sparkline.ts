/** Width and height of the drawing, which stretches to its place. */
const SIZE = { width: 100, height: 24 } as const;
/** Half the width of the line, which would be cut off at the edges. */
const MARGIN = 1;

/**
 * The path of a line through the values, from left to right, with a gap where a value is null: `M0 23L50 1`. Empty without two values
 * to connect. The lowest point is zero, so that lines of small changes stay flat.
 */
export function sparkline(values: readonly (number | null)[]): string {
  if (values.filter((value) => value !== null).length < 2) return '';
  const { width, height } = SIZE;
  const highest = Math.max(...values.map((value) => value ?? 0), Number.MIN_VALUE);
  const stepX = width / (values.length - 1);
  let isDrawing = false;
  const steps = values.map((value, index) => {
    const command = isDrawing ? 'L' : 'M';
    isDrawing = value !== null;
    if (value === null) return '';
    const y = height - MARGIN - (value / highest) * (height - 2 * MARGIN);
    return `${command}${round(index * stepX)} ${round(y)}`;
  });
  return steps.join('');
}

function round(coordinate: number): number {
  return Math.round(coordinate * 10) / 10;
}
