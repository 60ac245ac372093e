const POLL_MS = 500;

/**
 * npm runs a script in a shell. A signal sent to npm alone, as programs that start it do, ends npm and that shell but
 * never reaches this process, which would continue unnoticed. Its parent process changes, though.
 *
 * Only under npm: without it, this process may be meant to outlive its shell.
 * @param {() => void} onGone called once
 * @returns {() => void} stops watching
 */
export function watchNpm(onGone) {
  if (process.env.npm_lifecycle_event === undefined) return () => undefined;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  return () => clearInterval(timer);
}
