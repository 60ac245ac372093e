import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** SHA-256 of https://www.apache.org/licenses/LICENSE-2.0.txt */
const APACHE_2_0 = 'cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30';

interface Manifest {
  version?: string;
  license?: string;
  private?: boolean;
}

const root = manifest('package.json');
const paths = globSync(
  '{gateway,dashboard,dashboard/src/server,tests,services/*,packages/*,adapters/*}/package.json',
  {
    cwd: ROOT,
  },
);

describe('the manifests', () => {
  it.each(['package.json', ...paths])('%s has the version and the license of the release', (path) => {
    expect(manifest(path)).toMatchObject({ version: root.version, license: 'Apache-2.0', private: true });
  });

  it('the chart has the same version, and runs the image of it', () => {
    const { version, appVersion } = parse(read('deploy/helm/tollgate/Chart.yaml')) as Record<string, string>;
    expect([version, appVersion]).toEqual([root.version, root.version]);
  });

  it('the Python SDK has the same version', () => {
    expect(read('sdks/python/pyproject.toml')).toContain(`\nversion = "${root.version}"\n`);
  });

  it('the lockfile has the same versions', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Manifest> };
    const ours = Object.entries(packages).filter(([path]) => !path.includes('node_modules'));
    expect(ours.length).toBe(paths.length + 1);
    expect(new Set(ours.map(([, { version }]) => version))).toEqual(new Set([root.version]));
  });
});

it('LICENSE is the unchanged text of the Apache License 2.0', () => {
  expect(createHash('sha256').update(read('LICENSE')).digest('hex')).toBe(APACHE_2_0);
});

function manifest(path: string): Manifest {
  return JSON.parse(read(path)) as Manifest;
}

function read(path: string): string {
  return readFileSync(`${ROOT}/${path}`, 'utf8');
}
