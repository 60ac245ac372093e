import { globSync, readFileSync } from 'node:fs';
import { APIS, snapshotText } from './api-changes/api-documents.ts';
import { API_CHANGELOG } from './api-changes/check-apis.ts';
import { BILL_OF_MATERIALS, billOfMaterials } from './bill-of-materials.ts';
import { closeChangelog } from './close-changelog.ts';

const CHART = 'deploy/helm/tollgate/Chart.yaml';
const PYTHON_SDK = 'sdks/python/pyproject.toml';

/** The files that a release changes, by path, with their new text. */
export function releasedFiles(root: string, version: string, today: string): Map<string, string> {
  const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');
  const files = new Map<string, string>();
  for (const path of ['CHANGELOG.md', API_CHANGELOG])
    files.set(path, closeChangelog(read(path), version, today));
  for (const path of manifests(root)) files.set(path, setVersion(read(path), version));
  files.set(CHART, setChartVersions(read(CHART), version));
  files.set(PYTHON_SDK, read(PYTHON_SDK).replace(/^version = ".*"$/m, `version = "${version}"`));
  files.set('package-lock.json', setLockedVersions(read('package-lock.json'), version));
  for (const api of APIS) files.set(api.snapshot, snapshotText(api, version));
  const changed = new Map([...files].filter(([path, text]) => read(path) !== text));
  const ofRelease = (path: string) => files.get(path) ?? read(path);
  return changed.set(
    BILL_OF_MATERIALS,
    billOfMaterials({ lockfile: ofRelease('package-lock.json'), manifest: ofRelease('package.json') }),
  );
}

function manifests(root: string): string[] {
  const { workspaces } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { workspaces: string[] };
  return [
    'package.json',
    ...globSync(
      workspaces.map((folder) => `${folder}/package.json`),
      { cwd: root },
    ).sort(),
  ];
}

/** As text, to keep its formatting. */
function setVersion(manifest: string, version: string): string {
  return manifest.replace(/^( {2}"version": ")[^"]*/m, `$1${version}`);
}

/** Sets the version of the chart and of the image that it runs. Edits the chart as text, to keep its comments. */
function setChartVersions(chart: string, version: string): string {
  return chart.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`);
}

/** As npm would write it. */
function setLockedVersions(lockfile: string, version: string): string {
  const lock = JSON.parse(lockfile) as { version: string; packages: Record<string, { version?: string }> };
  lock.version = version;
  for (const [path, entry] of Object.entries(lock.packages))
    if (!path.includes('node_modules/')) entry.version = version;
  return `${JSON.stringify(lock, null, 2)}\n`;
}
