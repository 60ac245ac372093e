/** An env file does not support multi-line values. The services also accept base64 of a PEM text. */
export function oneLinePem(pem: string): string {
  return Buffer.from(pem).toString('base64');
}
