/** The bytes on a connection are not the protocol: that connection is closed, nothing else is touched. */
export class MalformedMessage extends Error {
  override name = 'MalformedMessage';
}
