import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { openProcessLog } from './processes/process-log.ts';

/**
 * Builds the documentation that the gateways serve, unless the existing build matches the sources. The platform works
 * without it: a failure is reported, and the next start tries again.
 */
export async function buildDocs(options: {
  checkoutDir: string;
  logPath: string;
  say(line: string): void;
  signal: AbortSignal;
}): Promise<void> {
  const { checkoutDir, logPath, say, signal } = options;
  const log = openProcessLog(logPath);
  try {
    const script = join(checkoutDir, 'packages/docs-site/src/main.ts');
    const builder = spawn(process.execPath, [script, '--if-changed'], {
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', log.fileDescriptor, log.fileDescriptor],
    });
    // The first payments come first.
    if (builder.pid !== undefined) setPriority(builder.pid, constants.priority.PRIORITY_LOW);
    const stop = () => builder.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    await once(builder, 'close');
    signal.removeEventListener('abort', stop);
    if (builder.exitCode !== 0 && !signal.aborted) say(`The documentation was not built. See ${logPath}.`);
  } finally {
    log.close();
  }
}
