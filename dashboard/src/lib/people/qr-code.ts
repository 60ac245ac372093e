import { encode } from 'uqr';

/** ISO/IEC 18004 §9.1: a quiet zone of four modules, without which cameras do not detect the code. */
const QUIET_ZONE_MODULES = 4;

export interface QrCode {
  /** Side length in modules, including the quiet zone. */
  size: number;
  /** The dark modules, as SVG path data in units of one module. */
  path: string;
}

/**
 * Encodes the text as a QR code for a screen. Error correction level M (15 %) is enough where the code cannot get
 * dirty.
 */
export function qrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE_MODULES });
  const path = data.flatMap((row, y) =>
    darkRuns(row).map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`),
  );
  return { size, path: path.join('') };
}

/**
 * Adjacent modules are drawn as one shape: otherwise a thin line of background shows between them at some zoom levels.
 */
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
