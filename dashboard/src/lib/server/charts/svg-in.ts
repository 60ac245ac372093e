/**
 * The picture in what LayerChart rendered. Charts are drawn by the server and not in the browser: LayerChart is larger than everything else
 * that a page loads, and without JavaScript there is a chart, too.
 */
export function svgIn(rendered: string): string {
  const svg = /<svg[\s\S]*<\/svg>/.exec(rendered)?.[0];
  if (svg === undefined) throw new Error('LayerChart drew no SVG');
  return svg.replaceAll(/<!--[\s\S]*?-->/g, '');
}
