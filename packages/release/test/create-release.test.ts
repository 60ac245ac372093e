import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { APIS, snapshotText } from '../src/api-changes/api-documents.ts';
import { BILL_OF_MATERIALS } from '../src/bill-of-materials.ts';
import { createRelease } from '../src/create-release.ts';
import { type Git, gitIn } from '../src/git.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const VERSION = '99.0.0';
const CHART = 'deploy/helm/tollgate/Chart.yaml';
const PYTHON_SDK = 'sdks/python/pyproject.toml';
const MANIFESTS =
  '{.,gateway,dashboard,dashboard/src/server,tests,services/*,packages/*,adapters/*}/package.json';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-release-'));
const root = join(folder, 'clone');
const git: Git = gitIn(root);

beforeAll(() => {
  for (const role of ['AUTHOR', 'COMMITTER']) {
    vi.stubEnv(`GIT_${role}_NAME`, 'Releaser');
    vi.stubEnv(`GIT_${role}_EMAIL`, 'releaser@example.com');
  }
  // These repositories are thrown away, and flushing each object takes seconds on a busy disk.
  vi.stubEnv('GIT_CONFIG_COUNT', '1');
  vi.stubEnv('GIT_CONFIG_KEY_0', 'core.fsync');
  vi.stubEnv('GIT_CONFIG_VALUE_0', 'none');
  createOrigin(join(folder, 'origin'));
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** The files of this checkout that a release reads, with changelogs of the test, and documents that equal the current ones. */
function createOrigin(origin: string): void {
  for (const path of [...globSync(MANIFESTS, { cwd: ROOT }), 'package-lock.json', CHART, PYTHON_SDK])
    cpSync(join(ROOT, path), join(origin, path));
  const changelog =
    '# Changelog\n\n## Unreleased\n\n### Added\n\n- Refunds.\n\n## 0.0.1 - 2020-01-01\n\n- Old.\n';
  write(origin, 'CHANGELOG.md', changelog);
  write(origin, 'docs/api-changelog.md', '# API changelog\n\n## Unreleased\n');
  for (const api of APIS) write(origin, api.snapshot, snapshotText(api, '0.0.1'));
  commitAll(origin, 'feat: add refunds');
}

/** Replaces the clone with a new one. */
function clone(): void {
  rmSync(root, { recursive: true, force: true });
  gitIn(folder)('clone', '--quiet', 'origin', 'clone');
}

function commitAll(repository: string, message: string): void {
  const run = gitIn(repository);
  run('init', '--quiet', '--initial-branch', 'main');
  run('add', '--all');
  run('commit', '--quiet', '--no-verify', '--message', message);
}

function write(repository: string, path: string, text: string): void {
  mkdirSync(dirname(join(repository, path)), { recursive: true });
  writeFileSync(join(repository, path), text);
}

/** What the schema of the bill's own version rejects. */
function schemaErrors(bill: { specVersion: string }): unknown[] {
  const folder = join(ROOT, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
  const schema = (name: string) =>
    JSON.parse(readFileSync(join(folder, `${name}.SNAPSHOT.schema.json`), 'utf8'));
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const validate = ajv.compile(schema(`bom-${bill.specVersion}`));
  return validate(bill) ? [] : (validate.errors ?? []).slice(0, 5);
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function release({ version = VERSION, write = true } = {}): string {
  return createRelease({ root, version, today: '2030-01-31', write }).join('\n');
}

it('a release changes nothing without --write', () => {
  clone();
  expect(release({ write: false })).toContain('Nothing was changed. Run npm test.');
  expect(git('log', '--format=%s')).toBe('feat: add refunds');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('tag')).toBe('');
});

describe('a release', () => {
  let report: string;
  let chartBefore: string;

  beforeAll(() => {
    clone();
    chartBefore = read(CHART);
    report = release();
  });

  it('a release commits and tags a clean tree', () => {
    expect(report).toBe('Created v99.0.0. To publish it: git push origin main v99.0.0');
    expect(git('log', '--format=%s')).toBe('chore(release): release 99.0.0\nfeat: add refunds');
    expect(git('rev-parse', 'v99.0.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
    expect(git('status', '--porcelain')).toBe('');
  });

  it('a release moves unreleased changes under the version', () => {
    expect(read('CHANGELOG.md')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 99.0.0 - 2030-01-31\n\n### Added\n\n- Refunds.\n\n## 0.0.1 - 2020-01-01\n\n- Old.\n',
    );
    expect(read('docs/api-changelog.md')).toBe(
      '# API changelog\n\n## Unreleased\n\n## 99.0.0 - 2030-01-31\n\nNo changes.\n',
    );
  });

  it('a release sets the version of every manifest, and changes nothing else in them', () => {
    const changed = git('diff', '--unified=0', 'HEAD~1', '--', '*package.json', 'package-lock.json');
    const lines = changed.split('\n').filter((line) => /^[+-] /.test(line));
    const added = lines.filter((line) => line.startsWith('+'));
    expect(new Set(added.map((line) => line.slice(1).trim()))).toEqual(new Set(['"version": "99.0.0",']));
    // Each workspace in its manifest and in the lockfile, which also has its own version.
    expect(added).toHaveLength(2 * globSync(MANIFESTS, { cwd: root }).length + 1);
    expect(lines).toHaveLength(2 * added.length);
  });

  it('a release sets the version of the chart, and of the image that it runs', () => {
    const version = /^((?:appV|v)ersion): .*$/gm;
    expect(read(CHART)).toBe(chartBefore.replaceAll(version, '$1: 99.0.0'));
    expect(read(CHART).match(/99\.0\.0/g)).toHaveLength(2);
  });

  it('a release sets the version of the Python SDK', () => {
    expect(git('diff', '--unified=0', 'HEAD~1', '--', PYTHON_SDK)).toContain('+version = "99.0.0"');
  });

  it('a release stores the documents of both APIs with the version', () => {
    for (const { snapshot } of APIS) expect(JSON.parse(read(snapshot)).info.version).toBe(VERSION);
  });

  it('a release stores a bill of materials of the release that matches the schema of CycloneDX', () => {
    const bill = JSON.parse(read(BILL_OF_MATERIALS));
    expect(schemaErrors(bill)).toEqual([]);
    expect(bill.metadata.component).toMatchObject({ name: 'tollgate', version: VERSION });
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { version: string }>;
    };
    const fastify = packages['node_modules/fastify']?.version;
    expect(bill.components).toContainEqual(expect.objectContaining({ name: 'fastify', version: fastify }));
  });

  it('a release changes nothing when it is repeated', () => {
    const head = git('rev-parse', 'HEAD');
    expect(release()).toContain('v99.0.0 is already released.');
    expect(git('rev-parse', 'HEAD')).toBe(head);
  });

  it('a release creates the tag when it was interrupted before', () => {
    git('tag', '--delete', 'v99.0.0');
    expect(release()).toContain('Created v99.0.0.');
    expect(git('log', '--format=%s')).toBe('chore(release): release 99.0.0\nfeat: add refunds');
    expect(git('rev-parse', 'v99.0.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
  });
});

it('a release keeps a changelog that has a section of the version', () => {
  clone();
  const changelog = '# Changelog\n\n## Unreleased\n\n## 99.0.0: first release\n\n- Payments.\n';
  write(root, 'CHANGELOG.md', changelog);
  commitAll(root, 'docs: describe the first release');
  expect(release()).toContain('Created v99.0.0.');
  expect(read('CHANGELOG.md')).toBe(changelog);
});

describe('a release is rejected', () => {
  it.each<[string, () => void, string]>([
    ['with uncommitted changes', () => write(root, 'new.txt', ''), 'uncommitted changes'],
    [
      'on another branch',
      () => git('switch', '--quiet', '--create', 'fix'),
      'The branch is fix. Switch to main.',
    ],
    [
      'below a released version',
      () => git('tag', '--annotate', 'v100.0.0', '--message', ''),
      '100.0.0 is already released',
    ],
    [
      'when its tag is on another commit',
      () => {
        git('tag', '--annotate', 'v99.0.0', '--message', '');
        write(root, 'CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- More.\n');
        commitAll(root, 'feat: add more');
      },
      'The tag v99.0.0 exists on another commit.',
    ],
    [
      'without a change',
      () => {
        write(root, 'CHANGELOG.md', '# Changelog\n\n## Unreleased\n');
        commitAll(root, 'docs: empty the changelog');
      },
      'CHANGELOG.md lists nothing under "Unreleased" or 99.0.0.',
    ],
    [
      'while the API changelog lacks a difference',
      () => {
        const document = JSON.parse(read('docs/api/openapi.json'));
        document.paths = {};
        write(root, 'docs/api/openapi.json', JSON.stringify(document));
        commitAll(root, 'test: remove all operations');
      },
      'docs/api-changelog.md does not match the API.',
    ],
  ])('%s', (_case, arrange, reason) => {
    clone();
    arrange();
    const before = git('rev-parse', 'HEAD');
    expect(() => release()).toThrow(reason);
    expect(git('rev-parse', 'HEAD')).toBe(before);
  });

  it.each(['1.0', 'v1.0.0', '1.0.0-beta', '01.0.0'])(
    'a release is rejected for the version %s',
    (version) => {
      expect(() => release({ version })).toThrow('is not a version such as 1.2.3');
    },
  );
});
