/** `http://<host>:<port>` of a listener. RFC 3986 §3.2.2 requires brackets around an IPv6 address. */
export function httpOrigin(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
