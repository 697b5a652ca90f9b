import { natives } from '../realm/natives.ts'

/** Resolves when an image is loaded; rejects if it cannot be. */
export const loaded = (image: HTMLImageElement): Promise<void> =>
  image.complete && image.naturalWidth > 0
    ? Promise.resolve()
    : new Promise((resolve, reject) => {
        const failed = () => reject(new Error(`no frame came from ${image.src}`))
        if (image.complete) return failed()
        natives.listen.call(image, 'load', () => resolve(), { once: true })
        natives.listen.call(image, 'error', failed, { once: true })
      })
