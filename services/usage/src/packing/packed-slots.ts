import { VarintReader, VarintWriter } from './varint.ts';

/** The content of a document for one point in time. */
export interface Slot {
  /** Number of windows that it was computed from; 0 above minutes. */
  windows: number;
  /** As `packRows` returns them. */
  rows: Uint8Array;
}

/** Slots by index of the point in its document. */
export type Slots = Map<number, Slot>;

/** Per slot, in ascending order: index, windows, length of the rows in bytes, rows. */
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

/** The rows are views of `packed`, not copies. */
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
