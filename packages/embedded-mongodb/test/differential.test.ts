import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FINDINGS } from './differential/findings.ts';
import { type InProcessServer, openInProcessServer } from './differential/in-process-server.ts';
import { compareWithReference } from './differential/run.ts';
import { rerun } from './differential/trial.ts';
import { temporaryFolder } from './support/server-under-test.ts';

const CASES = 1500;
const FIXED_SEED = 1;
const newSeed = Date.now() % 2 ** 31;

const openServer = (): InProcessServer => openInProcessServer(join(temporaryFolder(), 'data.db'));

test.each([FIXED_SEED, newSeed])(
  'random commands have the results that the reference implementation computes (seed %i)',
  (seed) => {
    const server = openServer();
    const differences: string[] = [];
    compareWithReference({
      server,
      cases: CASES,
      seed,
      onDifference: (describe) => differences.push(describe()),
    });
    server.close();
    expect(differences).toEqual([]);
  },
);

test.each(Object.entries(FINDINGS))('%s', (_, reproduction) => {
  const server = openServer();
  const outcome = rerun(server, reproduction);
  server.close();
  expect(outcome).toMatchObject({ isRight: true });
});
