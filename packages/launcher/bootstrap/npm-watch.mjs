const POLL_MS = 500;

/**
 * npm runs a script by way of a shell. A signal that is sent to npm alone, as programs do that start it, ends npm and that
 * shell and never reaches this process, which would go on unseen: its parent is then another.
 *
 * Only under npm: anyone who runs this file without it may mean it to outlive their shell.
 * @param {() => void} onGone called once
 * @returns {() => void} ends the watch
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
