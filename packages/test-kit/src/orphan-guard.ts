import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends the child with the test process. One that is killed cannot do it itself. A shell that waits for the end of its input
 * can: the system closes that when the test process is gone, however it went.
 */
export function guardAgainstOrphan(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const guard = spawn('sh', ['-c', `read -r _; kill -9 ${child.pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  // Later the number may be that of another process.
  child.once('exit', () => guard.kill('SIGKILL'));
}
