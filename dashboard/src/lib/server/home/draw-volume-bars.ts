import { render } from 'svelte/server';
import { svgIn } from '../charts/svg-in.ts';
import VolumeBars from './VolumeBars.svelte';
import type { VolumeChart } from './volume-chart.ts';

/** Renders the bars as SVG. */
export function drawVolumeBars({ columns }: Pick<VolumeChart, 'columns'>): string {
  return svgIn(render(VolumeBars, { props: { columns } }).body);
}
