import { workerPrefix } from '../../worker-prefix.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'

declare const __VID_WORKER__: string

/** Worker scripts in blob and data URLs, with the clock's script prepended. */
export interface WorkerScripts {
  /** The URL to start a worker with instead; files get their prefix from the server. */
  follow(address: unknown, options: WorkerOptions | undefined): unknown
}

const textOfData = (address: string): string => {
  const [head = '', ...rest] = address.split(',')
  const text = decodeURIComponent(rest.join(','))
  return /;base64$/i.test(head) ? new TextDecoder().decode(Uint8Array.from(atob(text), (c) => c.charCodeAt(0))) : text
}

/** Remembers the blobs that a window creates URLs for. */
export const createWorkerScripts = (realm: Realm): WorkerScripts => {
  const blobs = new Map<string, Blob>()
  const { createObjectURL, revokeObjectURL } = realm.URL
  replaceMethod(realm.URL, 'createObjectURL', (object) => {
    const address = createObjectURL.call(realm.URL, object)
    if (object instanceof realm.Blob) blobs.set(address, object)
    return address
  })
  replaceMethod(realm.URL, 'revokeObjectURL', (address) => {
    blobs.delete(String(address))
    revokeObjectURL.call(realm.URL, address)
  })
  return {
    follow(address, options) {
      const text = String(address)
      const script = /^data:/i.test(text) ? textOfData(text) : blobs.get(text)
      if (script === undefined) return address
      const prefix = workerPrefix(__VID_WORKER__, options?.type === 'module')
      return createObjectURL.call(realm.URL, new natives.Blob([prefix, script], { type: 'text/javascript' }))
    },
  }
}
