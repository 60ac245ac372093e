import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { guardAgainstOrphan } from '@tollgate/test-kit/orphan-guard';
import { expect, onTestFinished, test } from 'vitest';

const LINES = 1_000;
const MIB = 1024 * 1024;
const LINE_BYTES = MIB / 16;

const moduleOf = (specifier: string) => JSON.stringify(import.meta.resolve(specifier));

const LOGGERS = {
  'a service': `
    const logger = createLogger({ service: 'test' });`,
  'the gateway': `
    import { createGatewayLogger } from ${moduleOf('../src/gateway-logger.ts')};
    const logger = createGatewayLogger('info');`,
};

/** Starts a process that logs 62 MiB, and does not read them. */
async function startUnread(logger: string) {
  const script = `
    import { createLogger } from ${moduleOf('@tollgate/runtime/logger')};
    ${logger}
    const text = 'x'.repeat(${LINE_BYTES});
    for (let line = 0; line < ${LINES}; line++) logger.info(text);
    process.send('logged');
    setInterval(() => undefined, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  guardAgainstOrphan(child);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child.stdout as NonNullable<typeof child.stdout>;
}

test.each(Object.entries(LOGGERS))(
  'the log of %s keeps at most 16 MiB for a reader that stalls, and then reports the dropped lines',
  async (_name, logger) => {
    const output = await startUnread(logger);
    let kept = 0;
    let last: Record<string, unknown> = {};
    for await (const line of createInterface(output)) {
      last = JSON.parse(line);
      if (last['level'] === 'warn') break;
      kept++;
      if (kept === LINES) break;
    }
    expect(last).toMatchObject({ level: 'warn', count: LINES - kept });
    expect(kept * LINE_BYTES).toBeGreaterThan(15 * MIB);
    expect(kept * LINE_BYTES).toBeLessThan(17 * MIB);
  },
);
