import type { BlobStore, Blobs } from '../contracts/blob-store.ts'
import { checkAnswer } from '../supervision/answers.ts'
import { blame, warningOf } from '../supervision/blame.ts'
import type { Scope } from './scope.ts'

/** The configured store during one render. */
export interface StoreLease {
  /** Opens the store, once until it is closed; left out when none is configured. */
  readonly open?: () => Promise<Blobs>
  /** Closes the store if it is open. A failure is only a warning, since the segments exist. */
  close(): Promise<void>
}

/** Opens the store on first use; time and errors of each call are charged to its plugin. */
export const createStoreLease = (scope: Scope): StoreLease => {
  const {
    setup: { store },
    watch,
    signal,
    warn,
    storeDir: projectDir,
  } = scope
  if (!store) return { close: async () => {} }
  const run = <T>(work: () => Promise<T>) => watch.run(store.name, 'store', work)
  const watched = (blobs: BlobStore): Blobs => ({
    ...(blobs.maxBytes !== undefined && { maxBytes: blobs.maxBytes }),
    get: (key, path) =>
      run(() => blobs.get(key, path)).then((isStored) => checkAnswer(store.name, 'store.get', isStored, 'store')),
    put: (key, path) => run(() => blobs.put(key, path)),
    read: (key) => run(() => blobs.read(key)).then((text) => checkAnswer(store.name, 'store.read', text, 'store')),
    write: (key, text) => run(() => blobs.write(key, text)),
    touch: (keys) => run(() => blobs.touch(keys)),
    list: (prefix) => watch.iterate(store.name, 'store', () => blobs.list(prefix), signal),
    remove: (keys) => run(() => blobs.remove(keys)),
  })
  let opened: Promise<{ readonly store: BlobStore; readonly blobs: Blobs }> | undefined
  return {
    async open() {
      opened ??= run(() => store.open({ ...scope.context(store), projectDir })).then((answer) => {
        const open = checkAnswer(store.name, 'store', answer)
        return { store: open, blobs: watched(open) }
      })
      return (await opened).blobs
    },
    async close() {
      // A store that could not be opened was reported to its user.
      const open = await opened?.catch(() => undefined)
      opened = undefined
      if (!open) return
      await watch
        .close(store.name, 'store', () => open.store.close())
        .catch((thrown: unknown) => warn(warningOf(blame(thrown, store.name, 'store'))))
    },
  }
}
