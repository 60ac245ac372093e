/** The bytes on a connection do not follow the protocol. The server closes that connection and no other. */
export class MalformedMessage extends Error {
  override name = 'MalformedMessage';
}
