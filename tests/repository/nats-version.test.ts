import { readFileSync } from 'node:fs';
import { formatVersion, NEWEST_TESTED, RELEASE } from '@tollgate/local-servers/nats-server/server-version';
import { expect, it } from 'vitest';

const release = formatVersion(RELEASE);

it.each([
  ['Dockerfile', `ARG NATS_IMAGE=nats:${release}\n`],
  ['docker-compose.yml', `\${NATS_IMAGE:-nats:${release}-alpine}\n`],
  ['docs/operating/compose.md', `\`nats:${release}-alpine\``],
  ['deploy/helm/nats-values.yaml', `image: { tag: ${release}-alpine }\n`],
  ['docs/operating/install.md', `tested with ${release} and ${formatVersion(NEWEST_TESTED)}`],
])('%s names a version of NATS that is tested', (file, text) => {
  expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain(text);
});
