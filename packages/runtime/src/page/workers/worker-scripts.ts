import { workerPrefix } from '../../worker-prefix.ts'
import { natives, type Realm } from '../natives.ts'
import { replaceMethod } from '../replace.ts'

declare const __VID_WORKER__: string

/** Scripts of workers that carry their text in an address: what they run first is put before it. */
export interface WorkerScripts {
  /** The address to start a worker with instead; files are given their prefix by the server. */
  follow(address: unknown, options: WorkerOptions | undefined): unknown
}

const textOfData = (address: string): string => {
  const [head = '', ...rest] = address.split(',')
  const text = decodeURIComponent(rest.join(','))
  return /;base64$/i.test(head)
    ? new TextDecoder().decode(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)))
    : text
}

/** Remembers what a window makes addresses of. */
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
