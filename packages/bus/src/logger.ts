/** What the bus asks of a logger; a pino logger satisfies it. Fields never contain message bodies. */
export interface BusLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
