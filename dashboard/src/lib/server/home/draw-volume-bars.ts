import { render } from 'svelte/server';
import VolumeBars from './VolumeBars.svelte';
import type { VolumeChart } from './volume-chart.ts';

/**
 * The bars as SVG, drawn here and not in the browser: LayerChart is larger than everything else that the page loads, and without
 * JavaScript there is a chart, too.
 */
export function drawVolumeBars({ columns }: Pick<VolumeChart, 'columns'>): string {
  const { body } = render(VolumeBars, { props: { columns } });
  const svg = /<svg[\s\S]*<\/svg>/.exec(body)?.[0];
  if (svg === undefined) throw new Error('LayerChart drew no SVG');
  return svg.replaceAll(/<!--[\s\S]*?-->/g, '');
}
