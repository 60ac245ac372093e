/**
 * Prints the bill of materials (CycloneDX 1.5) of the packages that are installed in the current folder, from the lockfile that npm writes into
 * `node_modules`. `npm sbom` does not omit development dependencies of workspaces without those for production.
 */
import { readFileSync } from 'node:fs';

const { version: release } = JSON.parse(readFileSync('package.json', 'utf8'));
const { packages } = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8'));

/** npm writes `sha512-<base64>`. */
function hashesOf(integrity) {
  const [algorithm, base64] = integrity.split('-', 2);
  return [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(base64, 'base64').toString('hex') }];
}

function componentOf([path, { name: ownName, version, integrity, license }]) {
  const name = ownName ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': path,
    name,
    version,
    purl,
    ...(integrity && { hashes: hashesOf(integrity) }),
    ...(license && { licenses: [{ expression: license }] }),
  };
}

const bill = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { type: 'application', name: 'tollgate', version: release } },
  components: Object.entries(packages)
    .filter(([path]) => path.includes('node_modules/'))
    .filter(([, { link }]) => !link)
    .map(componentOf),
};
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
