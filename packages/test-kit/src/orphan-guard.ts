import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends the child with the test process, even if that is killed, and removes the folder of the child. A shell waits for the end of its
 * input, which the system closes when the test process ends in any way.
 */
export function guardAgainstOrphan(child: ChildProcess, folder?: string): void {
  if (child.pid === undefined) return;
  const remove = folder === undefined ? '' : `; rm -rf '${folder}'`;
  const guard = spawn('sh', ['-c', `read -r _; kill -9 ${child.pid}${remove}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  // The system may reuse the pid later.
  child.once('exit', () => guard.kill('SIGKILL'));
}
