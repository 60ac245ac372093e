import { parse } from 'svelte/compiler';
import type { TextRange } from './text-plugin.ts';
import { findTypeScriptTexts } from './typescript-texts.ts';

interface Node {
  type?: string;
  name?: string;
  start: number;
  end: number;
  value?: unknown;
}

/** Text of the markup, readable attributes, and what is prose in scripts and expressions. */
export function findSvelteTexts(source: string, path: string): TextRange[] {
  const { instance, module, fragment } = parse(source, { modern: true });
  const scripts = [instance, module].filter((script) => script != null);
  return [
    ...commentsOf(source),
    ...markupTexts(fragment),
    ...scripts.flatMap(({ content }) => scriptTexts(source, path, content as unknown as Node)),
  ];
}

function commentsOf(source: string): TextRange[] {
  return [...source.matchAll(/<!--.*?-->/gs)].map(({ 0: comment, index }) => [index, index + comment.length]);
}

function scriptTexts(source: string, path: string, { start, end }: Node): TextRange[] {
  const texts = findTypeScriptTexts(source.slice(start, end), `${path}.ts`);
  return texts.map(([from, to]) => [from + start, to + start]);
}

function markupTexts(value: unknown): TextRange[] {
  if (Array.isArray(value)) return value.flatMap(markupTexts);
  if (typeof value !== 'object' || value === null) return [];
  const node = value as Node;
  if (node.type === 'Attribute' && ['class', 'style', 'id', 'name', 'href'].includes(node.name ?? ''))
    return [];
  if (['Text', 'TemplateElement'].includes(node.type ?? '')) return [[node.start, node.end]];
  if (node.type === 'Literal') return typeof node.value === 'string' ? [[node.start, node.end]] : [];
  return Object.values(node).flatMap(markupTexts);
}
