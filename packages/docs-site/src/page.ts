import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as textOf } from 'mdast-util-to-string';

/** A page of the site, before VitePress renders it. */
export interface Page {
  /** Path below the base of the site, without extension, such as `guides/payments`. The home page is `index`. */
  path: string;
  /** First heading. */
  title: string;
  /** First sentence, for lists of pages. */
  summary: string;
  markdown: string;
}

/** A group of pages in a sidebar and in `llms.txt`. */
export interface Section {
  title: string;
  pages: readonly Page[];
}

/** Sections that share a sidebar. */
export interface Area {
  /** The paths of its pages start with one of these. Every path starts with the empty one, that of the guides. */
  prefixes: readonly string[];
  sections: readonly Section[];
}

const SUMMARY_LENGTH = 200;

/** @param body Markdown below the first heading */
export function createPage(path: string, title: string, body: string): Page {
  return { path, title, summary: summaryOf(body), markdown: `# ${title}\n\n${body.trim()}\n` };
}

/** The first sentence of the first paragraph. */
function summaryOf(body: string): string {
  const paragraphs = fromMarkdown(body)
    .children.filter(({ type }) => type === 'paragraph')
    .map((node) => textOf(node));
  // Tables and containers are extensions, which the parser reads as text. The status and the date of a decision summarize nothing.
  const text =
    paragraphs.find((paragraph) => !/^([|:]|Status: |Date: )/.test(paragraph))?.replaceAll(/\s+/g, ' ') ?? '';
  const [sentence = ''] = /^.*?[.:](?=\s|$)/.exec(text) ?? [text];
  return sentence.slice(0, SUMMARY_LENGTH).replace(/:$/, '.');
}
