import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { cpuSeconds } from './cpu-seconds.ts';

const BUSY_MS = 200;
/** Says when it has used the CPU for long enough, and ends when its input does. */
const BUSY_CHILD = `
  while (process.cpuUsage().user < ${BUSY_MS} * 1000);
  process.stdout.write('done');
  process.stdin.resume();
`;

test.runIf(process.platform === 'linux')(
  'the CPU time of a child is counted while it runs and after it has ended',
  async () => {
    const before = cpuSeconds();
    const ownBefore = process.cpuUsage();
    const child = spawn(process.execPath, ['-e', BUSY_CHILD], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill());
    const ofChildren = () => {
      const { user, system } = process.cpuUsage(ownBefore);
      return cpuSeconds() - before - (user + system) / 1e6;
    };

    await once(child.stdout, 'data');
    // The kernel counts in units of 10 ms.
    const whileItRuns = ofChildren();
    expect(whileItRuns).toBeGreaterThan((BUSY_MS - 50) / 1000);
    child.stdin.end();
    await once(child, 'close');

    expect(ofChildren()).toBeGreaterThanOrEqual(whileItRuns - 0.05);
  },
);
