import { DOCS_BASE_URL } from './reference/documents.ts';
import type { Site } from './site.ts';

/** `llms.txt` (llmstxt.org): the pages for tools, each as Markdown. */
export function llmsText({ home, areas }: Site): string {
  const lists = areas
    .flatMap(({ sections }) => sections)
    .map(({ title, pages }) => {
      const links = pages.map(
        (page) => `- [${page.title}](${DOCS_BASE_URL}/${page.path}.md): ${page.summary}`,
      );
      return `## ${title}\n\n${links.join('\n')}`;
    });
  return `# Tollgate\n\n> ${home.summary}\n\n${lists.join('\n\n')}\n`;
}
