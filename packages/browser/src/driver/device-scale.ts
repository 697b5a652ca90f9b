/**
 * The scale in single precision, as browsers represent it. It is never above the requested scale, since a browser
 * rounds the size of a picture up.
 */
export const deviceScale = (scale: number): number => {
  const single = Math.fround(scale)
  return single > scale ? Math.fround(single * (1 - 2 ** -24)) : single
}
