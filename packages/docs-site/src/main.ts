import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { hashSources } from '@tollgate/local-servers/source-hash';
import { build } from 'vitepress';
import { BUILD_DIR, DIST_DIR, PACKAGE_DIR, PAGES_DIR, WORK_DIR } from './folders.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { pagesOf, readSite } from './site.ts';

/**
 * Builds the site into `dist`: the pages as HTML and as Markdown, and `llms.txt` and `llms-full.txt` for tools. With
 * `--if-changed`, it keeps a build of the same sources.
 */
const SOURCES = [
  'ARCHITECTURE.md',
  'SECURITY.md',
  'adapters/mollie/README.md',
  'adapters/stripe/README.md',
  'docs',
  'gateway/src',
  'package-lock.json',
  'packages/contracts/src',
  'packages/docs-site',
  'packages/sdk/README.md',
  'sdks/python/README.md',
];
/** Images that pages show, in the same place relative to them as in the repository. */
const PLOTS = 'images/performance';
/** Inside the build, so that it is removed with it. */
const STAMP = 'sources.sha256';

const { values } = parseArgs({ options: { 'if-changed': { type: 'boolean', default: false } } });
// Before the build: a source that changes meanwhile causes another one.
const sources = await hashSources(CHECKOUT_DIR, SOURCES);
const built = await readFile(join(DIST_DIR, STAMP), 'utf8').catch(() => null);
if (!values['if-changed'] || built !== sources) await buildSite();

async function buildSite(): Promise<void> {
  try {
    const site = readSite();
    for (const { path, markdown } of pagesOf(site)) {
      const file = join(PAGES_DIR, `${path}.md`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, markdown);
    }
    await cp(join(PACKAGE_DIR, 'public'), join(PAGES_DIR, 'public'), { recursive: true });
    await cp(join(CHECKOUT_DIR, 'docs', PLOTS), join(PAGES_DIR, PLOTS), { recursive: true });
    await build(PACKAGE_DIR);
    await cp(PAGES_DIR, BUILD_DIR, { recursive: true, filter: (path) => path !== join(PAGES_DIR, 'public') });
    await writeFile(join(BUILD_DIR, 'llms.txt'), llmsText(site));
    await writeFile(join(BUILD_DIR, 'llms-full.txt'), llmsFullText(site));
    await writeFile(join(BUILD_DIR, STAMP), sources);
    // At once, so that a gateway never serves half a site.
    await rm(DIST_DIR, { recursive: true, force: true });
    await rename(BUILD_DIR, DIST_DIR);
  } finally {
    await rm(WORK_DIR, { recursive: true, force: true });
  }
}
