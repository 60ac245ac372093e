/**
 * Extracts the SVG from what LayerChart rendered. The server draws the charts: LayerChart is larger than all other
 * JavaScript of a page, and charts then work without JavaScript, too.
 */
export function svgIn(rendered: string): string {
  const svg = /<svg[\s\S]*<\/svg>/.exec(rendered)?.[0];
  if (svg === undefined) throw new Error('LayerChart did not render an SVG');
  return svg.replaceAll(/<!--[\s\S]*?-->/g, '');
}
