/** `http://<host>:<port>` of a listener. RFC 3986 §3.2.2: an IPv6 address stands in brackets. */
export function httpOrigin(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
