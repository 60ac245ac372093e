import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const DIST = `${FOLDER}/dist`;
/** Largest size of the whole SDK, minified and compressed: what a page or an edge function loads. */
const MAX_GZIP_BYTES = 7_000;

/** Bundles an application that has this source, as a bundler without a configuration does. */
async function bundle(source: string): Promise<string> {
  const build = await rolldown({
    input: 'application',
    platform: 'neutral',
    plugins: [
      {
        name: 'application',
        resolveId: (id) => (id === 'application' ? id : null),
        load: (id) => (id === 'application' ? source : null),
      },
    ],
  });
  const { output } = await build.generate({ minify: true });
  expect(output).toHaveLength(1);
  return output[0].code;
}

const gzipBytes = (code: string) => gzipSync(code, { level: 9 }).length;

describe('the package', () => {
  it('the package contains what is built, the readme, and the license, and nothing else', () => {
    const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: FOLDER,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const packed = JSON.parse(printed) as
      | { files: { path: string }[] }[]
      | Record<string, { files: { path: string }[] }>;
    const paths = Object.values(packed).flatMap(({ files }) => files.map(({ path }) => path));
    const built = readdirSync(DIST).map((file) => `dist/${file}`);
    expect(built).toContain('dist/index.d.ts');
    expect(paths.sort()).toEqual(['LICENSE', 'README.md', 'package.json', ...built].sort());
  });

  it('the package has no dependencies', () => {
    const manifest = JSON.parse(readFileSync(`${FOLDER}/package.json`, 'utf8')) as object;
    expect(Object.keys(manifest)).not.toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^(dependencies|peerDependencies|optionalDependencies)$/),
      ]),
    );
  });

  it.each(readdirSync(DIST))('dist/%s imports only what is published', (file) => {
    const source = readFileSync(`${DIST}/${file}`, 'utf8');
    const specifiers = [...source.matchAll(/(?:from |import\(|import |reference \w+=)['"]([^'"]+)['"]/g)];
    for (const [, specifier] of specifiers) {
      expect(specifier).toMatch(/^\.\/[\w-]+\.js$/);
      expect(readdirSync(DIST)).toContain(specifier?.slice(2));
    }
    expect(source).not.toMatch(/\brequire\(|node:|process\.|\bBuffer\b/);
  });

  it('the package declares no internal parameter', () => {
    expect(readFileSync(`${DIST}/tollgate.d.ts`, 'utf8')).not.toMatch(/clock/i);
  });
});

it(`a bundle of everything has at most ${MAX_GZIP_BYTES} bytes compressed`, async () => {
  const code = await bundle(`export * from '${DIST}/index.js';`);
  expect(code).toContain('/v1/payments');
  expect(gzipBytes(code)).toBeLessThanOrEqual(MAX_GZIP_BYTES);
});

it.each([
  [
    'the money helpers',
    `export { toMinorUnits } from '${DIST}/index.js';`,
    'AED',
    ['/v1/payments', 'webhook-id'],
  ],
  [
    'the webhooks of the root',
    `import { webhooks } from '${DIST}/index.js'; export const verify = webhooks.verify;`,
    'webhook-id',
    ['/v1/payments', 'AED'],
  ],
  [
    'the webhooks alone',
    `export { verify } from '${DIST}/webhooks.js';`,
    'webhook-id',
    ['/v1/payments', 'AED'],
  ],
  ['the client', `export { Tollgate } from '${DIST}/index.js';`, '/v1/payments', ['webhook-id', 'AED']],
])('a bundle of %s contains nothing else', async (_part, source, has, hasNot) => {
  const code = await bundle(source);
  expect(code).toContain(has);
  for (const other of hasNot) expect(code).not.toContain(other);
});
