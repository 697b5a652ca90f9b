/** Bytes that captured pictures may hold before the page's garbage is collected: 8 pictures of 1920 × 1080. */
export const UNCOLLECTED_BYTES = 64 * 1024 * 1024

/** Part of its size that a picture without images counts as: it holds only what was painted, as commands. */
const COMMANDS_SHARE = 1 / 4

/** Allocates memory of a size and does not keep it. */
const allocateGarbage = (bytes: number): void => void new ArrayBuffer(bytes)

/**
 * Counts captured pictures, and makes the browser collect garbage before they hold too much. It counts them as nothing
 * itself: it would free those that were transferred, with all the images in them, only after hundreds. To collect after
 * each picture would cost a seventh of its frame.
 */
export const createPictureCollection = (pictureBytes: number, allocate = allocateGarbage) => {
  let bytes = 0
  return {
    /** Reports a captured picture, in which a number of elements have an image of their own, at most of its size. */
    add(images: number): void {
      bytes += pictureBytes * (images || COMMANDS_SHARE)
      if (bytes < UNCOLLECTED_BYTES) return
      bytes = 0
      // Counted by the browser, this is more than it lets grow between two collections.
      allocate(Math.max(UNCOLLECTED_BYTES, 4 * pictureBytes))
    },
  }
}
