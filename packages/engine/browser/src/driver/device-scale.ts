/**
 * The scale in single precision, as browsers represent it. It is never above the requested scale, since a browser
 * rounds the size of a picture up.
 */
export const deviceScale = (scale: number): number => {
  const single = Math.fround(scale)
  return single > scale ? Math.fround(single * (1 - 2 ** -24)) : single
}

/**
 * The smallest scale at which images of a page are taken. Below it, Chromium draws a moving layer in one of two sizes,
 * depending on what it drew before, and it replaces the scale of frames on command; measured with Chromium 153.
 */
const MIN_IMAGE_SCALE = 0.5

/** How many times larger in each direction an image of a page is drawn than its picture; a whole number. */
export const reductionOf = (scale: number): number => Math.ceil(MIN_IMAGE_SCALE / scale)
