/** The logger that the bus needs, which a pino logger satisfies. Fields never contain message bodies. */
export interface BusLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
