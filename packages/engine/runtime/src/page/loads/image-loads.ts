import { natives, type Realm } from '../realm/natives.ts'
import { replaceAccessor } from '../realm/replace.ts'
import type { TrackLoad } from './element-loads.ts'

/** Has frames wait for images that scripts load: also for those outside the document, which a canvas may draw. */
export const watchImageLoads = (realm: Realm, track: TrackLoad): void => {
  const proto = realm.HTMLImageElement.prototype
  for (const name of ['src', 'srcset'] as const) {
    const set = Object.getOwnPropertyDescriptor(proto, name)?.set
    replaceAccessor(proto, name, {
      set(this: HTMLImageElement, value: unknown) {
        set?.call(this, value)
        // A lazy one is loaded when it is in the document.
        if (this.complete || this.isConnected || this.loading === 'lazy') return
        const ended = new Promise<void>((resolve) => {
          for (const type of ['load', 'error']) natives.listen.call(this, type, () => resolve(), { once: true })
          // One whose address is taken away reports nothing.
          new MutationObserver(() => this.complete && resolve()).observe(this, { attributeFilter: ['src', 'srcset'] })
        })
        track(ended, `image ${this.src}`)
      },
    })
  }
}
