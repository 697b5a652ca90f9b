import type { Pending } from '../readiness/pending.ts'
import { natives, type Realm } from '../realm/natives.ts'
import type { PageErrors } from '../realm/page-errors.ts'

const NOT_IMPORTED =
  'window.__hyperframes is read, which only a player of HyperFrames has: variables and other values come from there. `vid import hyperframes` turns such a project into one of vid'

interface GpuNavigator {
  readonly gpu?: { requestAdapter(): Promise<unknown> }
}

/** Rejects when a window's document says that it requires WebGPU, and the browser has none. */
const requireWebgpu = async ({ document, navigator }: Realm): Promise<void> => {
  if (!document.querySelector('[data-requires-webgpu]:not([data-requires-webgpu="false"])')) return
  const adapter = await (navigator as GpuNavigator).gpu?.requestAdapter().catch(() => null)
  if (!adapter)
    throw new Error('data-requires-webgpu is set, and this browser has no WebGPU: draw with WebGL or a canvas')
}

/** Reports what a page takes from a player of HyperFrames, and what it says that it cannot do without. */
export const watchHyperframes = (realm: Realm, errors: PageErrors, pending: Pending): void => {
  let defined: unknown
  Object.defineProperty(realm, '__hyperframes', {
    configurable: true,
    get() {
      if (defined === undefined) errors.addOnce(NOT_IMPORTED)
      return defined
    },
    set(value: unknown) {
      defined = value
    },
  })
  const check = () =>
    pending.track(
      requireWebgpu(realm).catch(({ message }: Error) => errors.add({ message, isThrown: true })),
      'WebGPU',
    )
  natives.listen.call(realm.document, 'DOMContentLoaded', check, { once: true })
}
