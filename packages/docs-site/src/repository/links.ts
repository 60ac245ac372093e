import { dirname, join, relative } from 'node:path/posix';
import type { Link } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { visit } from 'unist-util-visit';
import { PATHS } from './sources.ts';

/**
 * Points the relative links of a source at the pages of the site. A link to a file that is not a page, such as source
 * code, becomes its text.
 */
export function rewriteLinks(markdown: string, source: string): string {
  const links: Link[] = [];
  visit(fromMarkdown(markdown), 'link', (node) => void links.push(node));
  let text = markdown;
  // From the end, so that the offsets of the links before stay true.
  for (const link of links.toReversed()) {
    const [start, end] = [link.position?.start.offset, link.position?.end.offset];
    if (start === undefined || end === undefined || /^([a-z]+:|#)/.test(link.url)) continue;
    text = text.slice(0, start) + rewritten(text.slice(start, end), link, source) + text.slice(end);
  }
  return text;
}

function rewritten(original: string, link: Link, source: string): string {
  const label = original.slice(1, original.lastIndexOf(']('));
  const [file = '', anchor] = link.url.split('#');
  const path = PATHS.get(join(dirname(source), file));
  if (path === undefined) return label;
  return `[${label}](${linkTo(path, PATHS.get(source) ?? '')}${anchor === undefined ? '' : `#${anchor}`})`;
}

/** Relative link between two pages, which the site and the Markdown versions resolve alike. */
function linkTo(path: string, from: string): string {
  const link = relative(dirname(from), `${path}.md`);
  return link.startsWith('.') ? link : `./${link}`;
}
