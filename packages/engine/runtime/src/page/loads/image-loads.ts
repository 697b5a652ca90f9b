import { natives, type Realm } from '../realm/natives.ts'
import { replaceAccessor } from '../realm/replace.ts'
import type { TrackLoad } from './element-loads.ts'

/** Has frames wait for images that scripts load: also for those outside the document, which a canvas may draw. */
export const watchImageLoads = (realm: Realm, track: TrackLoad): void => {
  const proto = realm.HTMLImageElement.prototype
  /** Whether nothing is loaded for an image now: a lazy one is loaded when it is in the document. */
  const isIdle = (image: HTMLImageElement) => image.complete || image.loading === 'lazy'
  for (const name of ['src', 'srcset', 'loading'] as const) {
    const set = Object.getOwnPropertyDescriptor(proto, name)?.set
    replaceAccessor(proto, name, {
      set(this: HTMLImageElement, value: unknown) {
        set?.call(this, value)
        if (this.isConnected || isIdle(this)) return
        const ended = new Promise<void>((resolve) => {
          for (const type of ['load', 'error']) natives.listen.call(this, type, () => resolve(), { once: true })
          // One whose address is taken away, or that becomes lazy before it has begun, reports nothing.
          const observer = new MutationObserver(() => isIdle(this) && resolve())
          observer.observe(this, { attributeFilter: ['src', 'srcset', 'loading'] })
        })
        track(ended, `image ${this.src}`)
      },
    })
  }
}
