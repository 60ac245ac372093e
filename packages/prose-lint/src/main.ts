import { globSync, readFileSync } from 'node:fs';
import { matchesGlob, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lintText } from './lint.ts';

/**
 * `npm run lint:prose`: reports the terms that the glossary in README.md replaces, and comments without a subject.
 * Without arguments it lints every file of the project; with arguments, these files.
 */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const ignored = readFileSync(resolve(ROOT, '.proseignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const isIgnored = (path: string) => ignored.some((glob) => matchesGlob(path, glob));

let findings = 0;
for (const path of filesToLint(process.argv.slice(2)).filter((path) => !isIgnored(path))) {
  for (const { line, column, message } of await lintText(readFileSync(resolve(ROOT, path), 'utf8'), path)) {
    findings += 1;
    process.stdout.write(`${path}:${line}:${column} ${message}\n`);
  }
}
if (findings > 0) {
  process.stdout.write(
    `\nFindings: ${findings}. The glossary in packages/prose-lint/README.md lists the right terms.\n`,
  );
  process.exitCode = 1;
}

function filesToLint(args: string[]): string[] {
  if (args.length > 0) return args.map((path) => relative(ROOT, resolve(path)));
  return globSync('**/*.{md,ts,mjs,js,svelte}', {
    cwd: ROOT,
    exclude: ['**/node_modules', '**/dist', '**/.*', '**/coverage'],
  });
}
