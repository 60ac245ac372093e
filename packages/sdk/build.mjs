// Creates dist/ anew: a file that no longer has a source must not be published.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const dist = `${folder}/dist`;
const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));

rmSync(dist, { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: folder, stdio: 'inherit' });

const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
const userAgent = readFileSync(`${dist}/user-agent.js`, 'utf8');
writeFileSync(`${dist}/user-agent.js`, userAgent.replace("'development'", `'${version}'`));

// In declarations, tsc keeps the names of the sources, which are not published.
for (const file of readdirSync(dist).filter((name) => name.endsWith('.d.ts'))) {
  const declarations = readFileSync(`${dist}/${file}`, 'utf8');
  writeFileSync(`${dist}/${file}`, declarations.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
}
