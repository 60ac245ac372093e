import type { Page } from './page.ts';
import { DOCS_BASE_URL } from './reference/documents.ts';
import type { Site } from './site.ts';

/** Areas that an integration does not need. With them, the text is too long for most tools. */
const NOT_IN_FULL = ['reference/admin', 'decisions'];

/** `llms.txt` (llmstxt.org): the pages for tools, each as Markdown. */
export function llmsText({ home, areas }: Site): string {
  const lists = areas
    .flatMap(({ sections }) => sections)
    .map(({ title, pages }) => {
      const links = pages.map((page) => `- [${page.title}](${addressOf(page)}): ${page.summary}`);
      return `## ${title}\n\n${links.join('\n')}`;
    });
  return `# Tollgate\n\n> ${home.summary}\n\n${lists.join('\n\n')}\n`;
}

/** `llms-full.txt`: the pages themselves, each after its address, which its links are relative to. */
export function llmsFullText({ areas }: Site): string {
  return areas
    .filter(({ prefixes }) => !prefixes.some((prefix) => NOT_IN_FULL.includes(prefix)))
    .flatMap(({ sections }) => sections.flatMap(({ pages }) => pages))
    .map((page) => `Source: ${addressOf(page)}\n\n${page.markdown}`)
    .join('\n');
}

function addressOf({ path }: Page): string {
  return `${DOCS_BASE_URL}/${path}.md`;
}
