/** Variables that the launcher does not pass to its processes: other services' secrets, and npm's settings. */
const WITHHELD = new Set([
  'API_KEY_PEPPERS',
  'INTERNAL_SIGNING_KEYS',
  'ACTOR_SIGNING_KEY',
  'ACTOR_PUBLIC_KEYS',
  'ACCOUNTS_ENCRYPTION_KEYS',
  'SETUP_TOKEN',
  'WEBHOOK_ENCRYPTION_KEYS',
  'AUDIT_SIGNING_KEYS',
  'SESSION_COOKIE_KEYS',
  'SIGNING_KEYS',
  'SIGNER_PUBLIC_KEYS',
  'NATS_URL',
  'SMTP_URL',
  'MONGODB_URL',
  'HOST',
  'LIVE_HOST',
  'SANDBOX_HOST',
  'ADMIN_HOST',
  'PORT',
  'OPS_HOST',
  'OPS_PORT',
  // Nothing balances the requests of one machine, and each stage would wait for it again.
  'DRAIN_DELAY',
  'NODE_CHANNEL_FD',
]);

/** The part of the launcher's environment that all processes get. */
export function inheritedEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        !WITHHELD.has(entry[0].replace(/_FILE$/, '')) &&
        !entry[0].startsWith('npm_'),
    ),
  );
}
