import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRelease } from './create-release.ts';
import { ReleaseFailure } from './release-failure.ts';

/** `npm run release -- 1.1.0` shows what a release would change. With `--write`, it changes, commits, and tags. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const USAGE = 'Usage: npm run release -- <version> [--write]\n';

try {
  const { positionals, values } = parseArgs({
    options: { write: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [version, ...others] = positionals;
  if (version === undefined || others.length > 0) throw new ReleaseFailure([USAGE.trim()]);
  const today = new Date().toISOString().slice(0, 10);
  process.stdout.write(`${createRelease({ root: ROOT, version, today, write: values.write }).join('\n')}\n`);
} catch (error) {
  if (!(error instanceof ReleaseFailure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
