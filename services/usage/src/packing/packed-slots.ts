import { VarintReader, VarintWriter } from './varint.ts';

/** What a document holds of one point in time. */
export interface Slot {
  /** Windows that it was computed from; 0 above minutes. */
  windows: number;
  /** As `packRows` makes them. */
  rows: Uint8Array;
}

/** By place of the point in its document. */
export type Slots = Map<number, Slot>;

/** Per slot, by rising place: place, windows, length of the rows in bytes, rows. */
export function packSlots(slots: Slots): Uint8Array {
  const writer = new VarintWriter();
  for (const [place, { windows, rows }] of [...slots].sort(([a], [b]) => a - b)) {
    writer.write(place);
    writer.write(windows);
    writer.write(rows.length);
    writer.writeBytes(rows);
  }
  return writer.toBytes();
}

/** Rows are not copied. */
export function unpackSlots(packed: Uint8Array): Slots {
  const reader = new VarintReader(packed);
  const slots: Slots = new Map();
  while (!reader.isAtEnd()) {
    const place = reader.read();
    const windows = reader.read();
    slots.set(place, { windows, rows: reader.readBytes(reader.read()) });
  }
  return slots;
}
