/** The fields that the bus logs. They never contain message bodies. */
export interface BusLogFields {
  err?: unknown;
  subject?: string;
  stream?: string;
  durable?: string;
  sequence?: number;
  bucket?: string;
  key?: string;
  retry_delay_ms?: number;
}

/** The logger that the bus needs, which the logger of every process satisfies. */
export interface BusLogger {
  info(fields: BusLogFields, message: string): void;
  warn(fields: BusLogFields, message: string): void;
  error(fields: BusLogFields, message: string): void;
}
