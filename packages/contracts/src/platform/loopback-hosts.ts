/** Hosts of URLs on this machine, which may use http: the connection does not leave it. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
