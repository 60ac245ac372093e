import { execFileSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { expect, it } from 'vitest';
import { pagesOf, readSite } from '../src/site.ts';

const samples = pagesOf(readSite())
  .filter(({ path }) => path.startsWith('reference/'))
  .flatMap(({ path, markdown }) =>
    [...markdown.matchAll(/^```(sh|ts|python) \[\w+\]\n(.+?)\n```$/gms)].map(([, language, code = '']) => ({
      path,
      language,
      code,
    })),
  );
const inLanguage = (language: string) => samples.filter((sample) => sample.language === language);

it('every sample is there', () => {
  expect(samples.length).toBeGreaterThan(250);
});

it('every curl command is one command of a shell, with JSON as its body', () => {
  for (const { path, code } of inLanguage('sh')) {
    // The shell splits the command into its arguments, and prints one per line.
    const script = `curl() { for argument; do printf '%s\\0' "$argument"; done; }\n${code}`;
    const args = execFileSync('sh', ['-euc', script], {
      encoding: 'utf8',
      env: { KEY: 'key', TOKEN: 'token' },
    }).split('\0');
    expect(
      args.filter((each) => /^http:\/\/localhost:808[12]\//.test(each)),
      path,
    ).toHaveLength(1);
    const body = args[args.indexOf('-d') + 1];
    if (args.includes('-d')) expect(() => JSON.parse(body ?? ''), path).not.toThrow();
  }
});

it('every TypeScript sample parses', () => {
  for (const { path, code } of inLanguage('ts')) expect(() => stripTypeScriptTypes(code), path).not.toThrow();
});

it('every Python sample compiles', () => {
  const code = inLanguage('python').map(({ code }) => code);
  execFileSync(
    'python3',
    ['-c', 'import json, sys\nfor code in json.load(sys.stdin): compile(code, "sample", "exec")'],
    {
      input: JSON.stringify(code),
    },
  );
});
