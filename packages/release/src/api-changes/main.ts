import { fileURLToPath } from 'node:url';
import { checkApis } from './check-apis.ts';
import { suggestEntries } from './suggest-entries.ts';

/** `npm run api-changes`: prints the entries that docs/api-changelog.md lacks, and those that are wrong. */
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

const print = (text: string) => process.stdout.write(`${text}\n`);

const checked = checkApis(ROOT);
for (const { title, missing, wrong } of checked) {
  if (missing.length > 0) print(`### ${title}\n\n${suggestEntries(missing)}`);
  for (const reason of wrong) print(`${title}: ${reason}`);
}
if (checked.some(({ missing, wrong }) => missing.length + wrong.length > 0)) {
  print(
    '\nAdd the missing entries to "Unreleased" in docs/api-changelog.md and say why. Remove the wrong ones.',
  );
  process.exitCode = 1;
} else print('docs/api-changelog.md names every change since the last release.');
