import { parseAs, Type } from '@vid/protocol'

/** A folder with a project as it is staged for a composition; it stays as it is until it is released. */
export interface StagedFolder {
  /** Absolute; nothing may write into it. */
  readonly dir: string
  /** Aborts when the preview ends, and the folder with it. */
  readonly lost: AbortSignal
  release(): void
}

/** The only event of the reply, which stays open for as long as the folder is needed; null where nothing is staged. */
const FolderSchema = Type.Object({ dir: Type.Union([Type.String(), Type.Null()]) })

type Reader = ReadableStreamDefaultReader<Uint8Array>

const readFolder = async (reader: Reader): Promise<string | null> => {
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    text += decoder.decode(value, { stream: true })
    const [, line] = /^data: (.*)\n/m.exec(text) ?? []
    const folder = line === undefined ? undefined : parseAs(FolderSchema, line)
    if (folder) return folder.dir
    if (done) throw new Error('the reply names no folder')
  }
}

const readToEnd = async (reader: Reader): Promise<void> => {
  while (!(await reader.read()).done);
}

/**
 * Reads the folder that an open reply names; undefined where nothing is staged. `close` ends the reply, and `errorOf` is the
 * error of what needed the folder when the reply has ended before.
 */
export const readStagedFolder = async (
  body: ReadableStream<Uint8Array>,
  close: () => void,
  errorOf: (cause: unknown) => Error,
): Promise<StagedFolder | undefined> => {
  const reader = body.getReader()
  const dir = await readFolder(reader)
  if (dir === null) {
    close()
    return undefined
  }
  const lost = new AbortController()
  let isReleased = false
  const end = (cause: unknown) => {
    // Errors of an abort are found in the cause of its reason.
    if (!isReleased) lost.abort(new Error('the preview has ended', { cause: errorOf(cause) }))
  }
  readToEnd(reader).then(() => end('it has ended'), end)
  return {
    dir,
    lost: lost.signal,
    release() {
      isReleased = true
      close()
    },
  }
}
