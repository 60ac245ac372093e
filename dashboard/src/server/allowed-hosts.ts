const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Decides whether a Host header belongs to this dashboard. Other hosts are rejected: with a name that an attacker
 * points at this address (DNS rebinding), the attacker's page could read and post as if it were the dashboard's own
 * origin. A dashboard on loopback accepts all three loopback names with the same port.
 */
export function createHostCheck(dashboardUrl: string): (host: string | undefined) => boolean {
  const { protocol, hostname, port } = new URL(dashboardUrl);
  const names = LOOPBACK_NAMES.includes(hostname) ? LOOPBACK_NAMES : [hostname];
  const allowed = new Set(names.map((name) => new URL(`${protocol}//${name}${port && `:${port}`}`).host));
  return (host) => {
    if (host === undefined || !/^[A-Za-z0-9.:[\]-]+$/.test(host)) return false;
    // Parsed, so that letter case and an explicit default port make no difference.
    const parsed = URL.parse(`${protocol}//${host}`);
    return parsed !== null && allowed.has(parsed.host);
  };
}
