import { errorPages } from './error-pages.ts';
import { type Area, createPage, type Page } from './page.ts';
import { adminApiSections, paymentsApiSections } from './reference/reference.ts';
import { readPage } from './repository/read-page.ts';
import { DECISIONS, EXAMPLES, GUIDES, HOME } from './repository/sources.ts';

/** Every page of the site. */
export interface Site {
  home: Page;
  areas: readonly Area[];
}

export function readSite(): Site {
  const guides = GUIDES.map(({ title, sources }) => ({ title, pages: sources.map(readPage) }));
  const examples = EXAMPLES.map(readPage);
  const decisions = DECISIONS.map(readPage);
  return {
    home: readPage(HOME),
    areas: [
      { prefixes: [''], sections: guides },
      { prefixes: ['reference/payments', 'reference/events'], sections: paymentsApiSections() },
      { prefixes: ['reference/admin'], sections: adminApiSections() },
      { prefixes: ['errors'], sections: [{ title: 'Errors', pages: errorPages() }] },
      {
        prefixes: ['examples'],
        sections: [
          {
            title: 'Examples',
            pages: [listOf('Examples', 'Complete programs, which tests run.', examples), ...examples],
          },
        ],
      },
      {
        prefixes: ['decisions'],
        sections: [
          {
            title: 'Design decisions',
            pages: [
              listOf(
                'Design decisions',
                'Why Tollgate is as it is: each page has a question, the choice, and its price.',
                decisions,
              ),
              ...decisions,
            ],
          },
        ],
      },
    ],
  };
}

export function pagesOf({ home, areas }: Site): Page[] {
  return [home, ...areas.flatMap(({ sections }) => sections.flatMap(({ pages }) => pages))];
}

/** A page that lists the pages of a folder, at the path of the folder. */
function listOf(title: string, introduction: string, pages: readonly Page[]): Page {
  const folder = pages[0]?.path.split('/')[0] ?? '';
  const links = pages.map((page) => `- [${page.title}](./${page.path}.md)`);
  return createPage(folder, title, `${introduction}\n\n${links.join('\n')}`);
}
