/** The message that the page logs when it cannot get a WebGL context. */
export const WEBGL_MISSING = 'vid: no WebGL context'

/** Script that logs it, also when the page has a fallback. */
export const webglWatch = `(() => {
  const { error } = console
  const free = OffscreenCanvas.prototype.getContext
  for (const Canvas of [HTMLCanvasElement, OffscreenCanvas]) {
    const native = Canvas.prototype.getContext
    const watched = {
      getContext(...request) {
        const context = native.apply(this, request)
        // A canvas that already has another kind of context returns null too.
        const isWebgl = /^(experimental-)?webgl/.test(request[0])
        if (context === null && isWebgl && !free.call(new OffscreenCanvas(1, 1), request[0]))
          error.call(console, '${WEBGL_MISSING}')
        return context
      },
    }
    Object.defineProperty(Canvas.prototype, 'getContext', {
      ...Object.getOwnPropertyDescriptor(Canvas.prototype, 'getContext'),
      value: watched.getContext,
    })
  }
})();`
