import type { Realm } from './natives.ts'
import { replaceMethod } from './replace.ts'

/** Records whether scripts of the page draw with WebGL. */
export interface WebglUse {
  install(realm: Realm): void
  readonly isUsed: boolean
}

type GetContext = (this: object, kind: string, ...rest: unknown[]) => unknown

/** Creates the record, for all windows. */
export const createWebglUse = (): WebglUse => {
  let isUsed = false
  return {
    get isUsed() {
      return isUsed
    },
    install(realm) {
      for (const { prototype } of [realm.HTMLCanvasElement, realm.OffscreenCanvas]) {
        const native = prototype.getContext as GetContext
        const noted: GetContext = function (kind, ...rest) {
          const context = native.call(this, kind, ...rest)
          if (context && /^(experimental-)?webgl/.test(kind)) isUsed = true
          return context
        }
        replaceMethod(prototype as { getContext: GetContext }, 'getContext', noted)
      }
    },
  }
}
