import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends the child with the test process, even if that is killed. A shell waits for the end of its input, which the
 * system closes when the test process ends in any way.
 */
export function guardAgainstOrphan(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const guard = spawn('sh', ['-c', `read -r _; kill -9 ${child.pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  // The system may reuse the pid later.
  child.once('exit', () => guard.kill('SIGKILL'));
}
