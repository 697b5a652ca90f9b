/** Bytes of captured pictures before the page's garbage is collected: 8 pictures of 1920 × 1080. */
export const UNCOLLECTED_BYTES = 64 * 1024 * 1024

/** Share of its size that a picture without images counts as, since it contains only drawing commands. */
const COMMANDS_SHARE = 1 / 4

/** Allocates memory of a size and discards it. */
const allocateGarbage = (bytes: number): void => void new ArrayBuffer(bytes)

/**
 * Counts captured pictures, and makes the browser collect garbage before they take too much memory. The browser does
 * not count them: it would free transferred pictures, with all their images, only after hundreds. Collecting after each
 * picture would cost a seventh of a frame's time.
 */
export const createPictureCollection = (pictureBytes: number, allocate = allocateGarbage) => {
  let bytes = 0
  return {
    /** Reports a captured picture with a number of images, each at most of the picture's size. */
    add(images: number): void {
      bytes += pictureBytes * (images || COMMANDS_SHARE)
      if (bytes < UNCOLLECTED_BYTES) return
      bytes = 0
      // The browser counts this, and it exceeds the growth that triggers a collection.
      allocate(Math.max(UNCOLLECTED_BYTES, 4 * pictureBytes))
    },
  }
}
