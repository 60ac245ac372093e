import { globSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const guides = (...names: string[]) =>
  names.map((name) => ({ source: `docs/guides/${name}.md`, path: `guides/${name}` }));

/** A file of the repository that becomes a page. */
export interface Source {
  /** From the root of the repository. */
  source: string;
  path: string;
}

export const HOME: Source = { source: 'docs/README.md', path: 'index' };

/** The guides, in reading order. One that is missing here fails a test. */
export const GUIDES: readonly { title: string; sources: readonly Source[] }[] = [
  {
    title: 'Get started',
    sources: [
      { source: 'docs/quickstart/README.md', path: 'quickstart' },
      ...guides('authentication', 'sandbox', 'test-your-integration', 'going-live'),
    ],
  },
  {
    title: 'Payments',
    sources: guides('payments', 'redirect-payers', 'errors-and-retries', 'failure-codes', 'reconcile-orders'),
  },
  { title: 'Webhooks', sources: guides('receive-webhooks', 'verify-webhooks') },
  {
    title: 'Tools',
    sources: [
      { source: 'packages/sdk/README.md', path: 'sdks/typescript' },
      { source: 'sdks/python/README.md', path: 'sdks/python' },
      ...guides('use-the-command-line', 'admin-api', 'automate-with-api-tokens'),
    ],
  },
  {
    title: 'Oversight',
    sources: guides(
      'usage-and-requests',
      'notifications',
      'two-factor-authentication',
      'single-sign-on',
      'audit-log',
      'erase-personal-data',
      'secret-scanning',
    ),
  },
  {
    title: 'Processors',
    sources: [
      ...guides('processors', 'approve-settlements'),
      { source: 'adapters/stripe/README.md', path: 'processors/stripe' },
      { source: 'adapters/mollie/README.md', path: 'processors/mollie' },
      ...guides('write-a-processor-adapter', 'test-a-processor-adapter'),
    ],
  },
  {
    title: 'Operating',
    sources: [
      { source: 'docs/operating/README.md', path: 'operating' },
      { source: 'docs/operating/install.md', path: 'operating/install' },
      { source: 'docs/operating/compose.md', path: 'operating/compose' },
      { source: 'docs/operating/kubernetes.md', path: 'operating/kubernetes' },
      { source: 'docs/operating/configuration.md', path: 'operating/configuration' },
      { source: 'docs/operating/doctor.md', path: 'operating/doctor' },
      { source: 'docs/operating/upgrade.md', path: 'operating/upgrade' },
      { source: 'docs/operating/schema.md', path: 'operating/schema' },
      { source: 'docs/operating/scale.md', path: 'operating/scale' },
      { source: 'docs/performance.md', path: 'performance' },
      { source: 'docs/operating/backup.md', path: 'operating/backup' },
      { source: 'docs/operating/move-to-mongodb.md', path: 'operating/move-to-mongodb' },
      { source: 'docs/operating/disaster-recovery.md', path: 'operating/disaster-recovery' },
      { source: 'docs/operating/single-sign-on.md', path: 'operating/single-sign-on' },
      { source: 'docs/operating/email.md', path: 'operating/email' },
      { source: 'docs/operating/reset-an-owner.md', path: 'operating/reset-an-owner' },
      { source: 'docs/operating/data-retention.md', path: 'operating/data-retention' },
      { source: 'docs/operating/failures.md', path: 'operating/failures' },
      { source: 'docs/operating/alerts.md', path: 'operating/alerts' },
      { source: 'docs/operating/metrics.md', path: 'operating/metrics' },
      { source: 'docs/operating/tracing.md', path: 'operating/tracing' },
      { source: 'docs/operating/rotate-keys.md', path: 'operating/rotate-keys' },
      { source: 'docs/versioning.md', path: 'versioning' },
      { source: 'docs/api-changelog.md', path: 'api-changelog' },
      { source: 'docs/security.md', path: 'security' },
      { source: 'SECURITY.md', path: 'security-policy' },
      { source: 'ARCHITECTURE.md', path: 'architecture' },
    ],
  },
];

/** Complete programs that the guides refer to. */
export const EXAMPLES = sourcesIn('examples', ['docs/examples/**/*.{ts,mjs}', 'docs/guides/*.mjs']);

export const DECISIONS = sourcesIn('decisions', ['docs/decisions/*.md']);

function sourcesIn(folder: string, patterns: string[]): Source[] {
  return globSync(patterns, { cwd: ROOT })
    .toSorted()
    .map((source) => ({ source, path: `${folder}/${basename(source, extname(source))}` }));
}

/** Path of the page of each source, and of each folder that has a list. */
export const PATHS: ReadonlyMap<string, string> = new Map([
  ...[HOME, ...GUIDES.flatMap(({ sources }) => sources), ...EXAMPLES, ...DECISIONS].map(
    ({ source, path }): [string, string] => [source, path],
  ),
  ['docs/examples/sdk', 'examples'],
  ['docs/decisions', 'decisions'],
]);
