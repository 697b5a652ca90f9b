/**
 * A scale as a browser can have it, in single precision. It is not above what was asked for, since a browser rounds the
 * size of a picture up.
 */
export const deviceScale = (scale: number): number => {
  const single = Math.fround(scale)
  return single > scale ? Math.fround(single * (1 - 2 ** -24)) : single
}
