import type { Comparison } from './benchmark.ts';
import { comparisonRows } from './comparison-rows.ts';
import { escapeXml } from './escape-xml.ts';

const WIDTH = 720;
const LABEL_WIDTH = 240;
const VALUE_WIDTH = 60;
const LINE_HEIGHT = 26;
const BAR_HEIGHT = 14;
const TITLE_HEIGHT = 36;
/** Readable on white and on black: an image cannot know the theme of the page around it. */
const TEXT = '#7d8590';
const BAR = '#9aa4b2';
const TOLLGATE_BAR = '#4f7df3';
const AIM = '#d9822b';

/** Horizontal bars of the median ratios of comparisons, one group for each, and a line at each aim. */
export function ratioPlot(comparisons: readonly Comparison[]): string {
  const rowsOf = comparisons.map((comparison) => comparisonRows(comparison));
  const largest = Math.max(...rowsOf.flat().map(({ ratio }) => ratio.median));
  const scale = (WIDTH - LABEL_WIDTH - VALUE_WIDTH) / largest;
  let top = 0;
  const groups = comparisons.map((comparison, index) => {
    const rows = rowsOf[index] ?? [];
    const lines = rows.map(({ subject, ratio }, row) =>
      bar({
        y: top + TITLE_HEIGHT + row * LINE_HEIGHT,
        width: ratio.median * scale,
        label: subject,
        value: ratio.median.toFixed(2),
        color: subject === comparison.aim?.subject ? TOLLGATE_BAR : BAR,
      }),
    );
    const group = [
      text(0, top + TITLE_HEIGHT - 14, `${comparison.title}: ${comparison.figure}`, 'font-weight="600"'),
      ...lines,
      ...aimLine(comparison, top + TITLE_HEIGHT, rows.length, scale),
    ];
    top += TITLE_HEIGHT + rows.length * LINE_HEIGHT + 10;
    return group.join('\n');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}" font-family="system-ui, sans-serif" font-size="13" fill="${TEXT}">`,
    `<title>${escapeXml(comparisons.map(({ title }) => title).join(', '))}</title>`,
    ...groups,
    '</svg>\n',
  ].join('\n');
}

interface Bar {
  y: number;
  width: number;
  label: string;
  value: string;
  color: string;
}

function bar({ y, width, label, value, color }: Bar): string {
  return [
    text(0, y + BAR_HEIGHT - 2, label),
    `<rect x="${LABEL_WIDTH}" y="${y}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" rx="2" fill="${color}"/>`,
    text(LABEL_WIDTH + width + 8, y + BAR_HEIGHT - 2, value),
  ].join('\n');
}

function aimLine({ aim }: Comparison, top: number, rows: number, scale: number): string[] {
  if (aim === undefined) return [];
  const x = LABEL_WIDTH + ('atMost' in aim ? aim.atMost : aim.atLeast) * scale;
  const [y1, y2] = [top - 4, top + rows * LINE_HEIGHT - 6];
  return [
    `<line x1="${x.toFixed(1)}" y1="${y1}" x2="${x.toFixed(1)}" y2="${y2}" stroke="${AIM}" stroke-width="1.5" stroke-dasharray="4 3"/>`,
  ];
}

function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escapeXml(content)}</text>`;
}
