import type { PreprocessorGroup } from 'svelte/compiler';

const ICON_FILE = /@lucide[\\/]svelte[\\/]dist[\\/]icons[\\/]/;
const ICON_DATA = /^const iconData = (\{.*\});$/m;

interface IconData {
  size: number;
  node: [tag: string, attributes: Record<string, string>][];
}

/**
 * Compiles the icons of Lucide to fixed SVG. Lucide's own component computes each icon from data, one element after the other,
 * while the page hydrates, and every page would load it.
 */
export const fixedIcons: PreprocessorGroup = {
  name: 'fixed-icons',
  markup({ content, filename }) {
    if (filename === undefined || !ICON_FILE.test(filename)) return undefined;
    const [, json] = ICON_DATA.exec(content) ?? [];
    if (json === undefined) throw new Error(`${filename} has no data: has Lucide changed its files?`);
    const { size, node } = JSON.parse(json) as IconData;
    const shapes = node.map(([tag, attributes]) => `<${tag} ${attributesOf(attributes)} />`).join('');
    const fixed = attributesOf({
      viewBox: `0 0 ${size} ${size}`,
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': '2',
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
      'aria-hidden': 'true',
    });
    return {
      code: `<script>let { size, class: classes } = $props();</script>
<svg ${fixed} width={size} height={size} class={classes}>${shapes}</svg>`,
    };
  },
};

function attributesOf(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ');
}
