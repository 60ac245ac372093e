/** The bytes on a connection violate the protocol. The server closes only that connection. */
export class MalformedMessage extends Error {
  override name = 'MalformedMessage';
}
