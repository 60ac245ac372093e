import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const BILL_OF_MATERIALS = 'docs/sbom.cdx.json';

/** The bill of every installed package has about 1 MB. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * All packages of the lockfile in the CycloneDX format, with versions, hashes, and licenses. Packages for development only
 * are marked as such; they are included because the dashboard is built from some of them.
 */
export function billOfMaterials({ lockfile, manifest }: { lockfile: string; manifest: string }): string {
  const bill = JSON.parse(run(lockfile, manifest)) as { metadata: { component: { name: string } } };
  // npm takes the name of the folder.
  bill.metadata.component.name = 'tollgate';
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** In a folder of its own, because the lockfile is that of the release, which is not written yet. */
function run(lockfile: string, manifest: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-sbom-'));
  try {
    writeFileSync(join(folder, 'package-lock.json'), lockfile);
    writeFileSync(join(folder, 'package.json'), manifest);
    // Without legacy-peer-deps, npm rejects the tree for an outdated range of a package that works.
    const options = ['--sbom-format=cyclonedx', '--package-lock-only', '--legacy-peer-deps'];
    return execFileSync('npm', ['sbom', ...options], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
      maxBuffer: MAX_BYTES,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
