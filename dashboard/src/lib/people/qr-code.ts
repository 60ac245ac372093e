import { encode } from 'uqr';

/** ISO/IEC 18004 §9.1: four modules of nothing around it, or cameras do not find it. */
const QUIET_ZONE_MODULES = 4;

export interface QrCode {
  /** Side length in modules, the quiet zone included. */
  size: number;
  /** The dark modules, as the data of an SVG path in units of one module. */
  path: string;
}

/** The text as a QR code for a screen: level M (15 % may be unreadable) is enough where nothing gets dirty. */
export function qrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE_MODULES });
  const path = data.flatMap((row, y) =>
    darkRuns(row).map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`),
  );
  return { size, path: path.join('') };
}

/** Neighbours are drawn as one, or a thin line of background shows between them at some zoom levels. */
function darkRuns(row: readonly boolean[]): { x: number; length: number }[] {
  const runs: { x: number; length: number }[] = [];
  for (const [x, isDark] of row.entries()) {
    if (!isDark) continue;
    const last = runs.at(-1);
    if (last && last.x + last.length === x) last.length += 1;
    else runs.push({ x, length: 1 });
  }
  return runs;
}
