import { escapeXml } from './escape-xml.ts';

export interface Series {
  name: string;
  points: readonly (readonly [x: number, y: number])[];
}

const WIDTH = 760;
const HEIGHT = 380;
const MARGIN = { top: 44, right: 180, bottom: 48, left: 64 };
const PLOT_WIDTH = WIDTH - MARGIN.left - MARGIN.right;
const PLOT_HEIGHT = HEIGHT - MARGIN.top - MARGIN.bottom;
const TICKS = 5;
const LEGEND_LINE = 18;
/** Readable on white and on black, and distinct for readers with a color vision deficiency. Further series are dashed. */
const COLORS = ['#3b82c4', '#d97706', '#2f9e6e', '#c2588f', '#8b6fd1', '#7a8594'];

/** Draws lines over a common axis from 0, as an SVG document that follows the light or dark scheme of its page. */
export function linePlot({
  title,
  xLabel,
  yLabel,
  series,
}: {
  title: string;
  xLabel: string;
  yLabel: string;
  series: readonly Series[];
}): string {
  const points = series.flatMap((each) => each.points);
  const maxX = ceiling(Math.max(...points.map(([x]) => x)));
  const maxY = ceiling(Math.max(...points.map(([, y]) => y)));
  const left = (x: number) => round(MARGIN.left + (x / maxX) * PLOT_WIDTH);
  const top = (y: number) => round(MARGIN.top + PLOT_HEIGHT - (y / maxY) * PLOT_HEIGHT);
  const ticksOf = (max: number) => Array.from({ length: TICKS + 1 }, (_, index) => (max / TICKS) * index);
  const baseline = MARGIN.top + PLOT_HEIGHT;

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeXml(title)}">`,
    STYLE,
    `<text class="title" x="${MARGIN.left}" y="24">${escapeXml(title)}</text>`,
    ...ticksOf(maxY).flatMap((y) => [
      `<line class="grid" x1="${MARGIN.left}" x2="${MARGIN.left + PLOT_WIDTH}" y1="${top(y)}" y2="${top(y)}"/>`,
      `<text x="${MARGIN.left - 8}" y="${top(y) + 4}" text-anchor="end">${label(y)}</text>`,
    ]),
    ...ticksOf(maxX).map(
      (x) => `<text x="${left(x)}" y="${baseline + 18}" text-anchor="middle">${label(x)}</text>`,
    ),
    `<text x="${MARGIN.left + PLOT_WIDTH / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escapeXml(xLabel)}</text>`,
    `<text transform="translate(14 ${MARGIN.top + PLOT_HEIGHT / 2}) rotate(-90)" text-anchor="middle">${escapeXml(yLabel)}</text>`,
    ...series.flatMap(({ name, points: line }, index) => {
      const legendX = WIDTH - MARGIN.right + 14;
      const legendY = MARGIN.top + 10 + index * LEGEND_LINE;
      return [
        `<polyline ${strokeOf(index)} points="${line.map(([x, y]) => `${left(x)},${top(y)}`).join(' ')}"/>`,
        `<line ${strokeOf(index)} x1="${legendX}" x2="${legendX + 22}" y1="${legendY}" y2="${legendY}"/>`,
        `<text x="${legendX + 28}" y="${legendY + 4}">${escapeXml(name)}</text>`,
      ];
    }),
    '</svg>',
    '',
  ].join('\n');
}

const STYLE = `<style>
text { font: 12px system-ui, sans-serif; fill: #4b5563 }
.title { font-size: 15px; font-weight: 600; fill: #111827 }
.grid { stroke: #9ca3af; stroke-opacity: .35 }
polyline { fill: none; stroke-width: 1.8; stroke-linejoin: round }
@media (prefers-color-scheme: dark) { text { fill: #9ca3af } .title { fill: #f3f4f6 } }
</style>`;

function strokeOf(index: number): string {
  const color = COLORS[index % COLORS.length];
  return `stroke="${color}"${index < COLORS.length ? '' : ' stroke-dasharray="5 3"'}`;
}

/** The next number of the form 1, 2, 2.5, or 5 times a power of ten, times the number of ticks. */
function ceiling(max: number): number {
  const step = Math.max(max, Number.MIN_VALUE) / TICKS;
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= step) ?? 10;
  return factor * power * TICKS;
}

function label(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
