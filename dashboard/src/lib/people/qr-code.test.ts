import jsQR from 'jsqr';
import { expect, it } from 'vitest';
import { type QrCode, qrCode } from './qr-code.ts';

const PIXELS_PER_MODULE = 3;
const URI =
  'otpauth://totp/Tollgate:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Tollgate';

it.each([URI, `${URI}&label=${'x'.repeat(250)}`])('a camera decodes the code into its text', (text) => {
  const { pixels, width } = photograph(qrCode(text));
  expect(jsQR(pixels, width, width)?.data).toBe(text);
});

/** Renders the path in black on white, as RGBA. */
function photograph({ size, path }: QrCode): { pixels: Uint8ClampedArray; width: number } {
  const width = size * PIXELS_PER_MODULE;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let row = 0; row < PIXELS_PER_MODULE; row += 1) {
      const start = (Number(y) * PIXELS_PER_MODULE + row) * width + Number(x) * PIXELS_PER_MODULE;
      for (let pixel = start; pixel < start + Number(length) * PIXELS_PER_MODULE; pixel += 1) {
        pixels.set([0, 0, 0], pixel * 4);
      }
    }
  }
  return { pixels, width };
}
