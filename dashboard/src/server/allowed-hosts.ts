const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Which values of the Host header are this dashboard's. Any other is rejected: a name that an attacker points at this
 * address (DNS rebinding) would let their page read and post as if it were the dashboard's own origin.
 * Of a dashboard on loopback all three names of loopback are right, with the same port: people type what they like.
 */
export function createHostCheck(dashboardUrl: string): (host: string | undefined) => boolean {
  const { protocol, hostname, port } = new URL(dashboardUrl);
  const names = LOOPBACK_NAMES.includes(hostname) ? LOOPBACK_NAMES : [hostname];
  const allowed = new Set(names.map((name) => new URL(`${protocol}//${name}${port && `:${port}`}`).host));
  return (host) => {
    if (host === undefined || !/^[A-Za-z0-9.:[\]-]+$/.test(host)) return false;
    // Parsed, so that letter case and a default port that is written out make no difference.
    const parsed = URL.parse(`${protocol}//${host}`);
    return parsed !== null && allowed.has(parsed.host);
  };
}
