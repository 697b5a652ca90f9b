import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describeCause } from '@vid/protocol'
import { makeFolder, syncFolder } from '@vid/system'
import { fail } from '../errors.ts'
import { type Accepted, readAccepted } from './accepted.ts'
import { writeDurable } from './durable-files.ts'
import { type Ending, readEnding } from './ending.ts'

/** A request restored from the state folder. */
export interface StoredRequest {
  readonly accepted: Accepted
  readonly ending?: Ending
}

/** Stores accepted requests, and holds the files of each. */
export interface RequestJournal {
  /** Whether requests outlive the process. */
  readonly isDurable: boolean
  /** Absolute folder for the files of a request. */
  folderOf(accepted: Accepted): string
  /** Resolves once the request is stored. */
  accept(accepted: Accepted): Promise<void>
  /**
   * Removes the files of an earlier attempt from the folder of a request, and records that a process starts to render
   * it.
   */
  start(accepted: Accepted): Promise<void>
  end(accepted: Accepted, ending: Ending): Promise<void>
  /** Removes a request and its files. */
  forget(accepted: Accepted): Promise<void>
  /**
   * Reads the requests that an earlier process stored, in the order of acceptance, and lists folders that cannot be
   * read as requests.
   */
  restore(): Promise<{ readonly kept: readonly StoredRequest[]; readonly damaged: readonly string[] }>
}

const NEW = 'new-'
const PLACES = 12

/** Name of a request's folder: its position in the order, and a hash of its id, which may not be a valid file name. */
const nameOf = ({ requestId, sequence }: Accepted): string => {
  const mark = createHash('sha256').update(requestId).digest('hex').slice(0, 16)
  return `${String(sequence).padStart(PLACES, '0')}-${mark}`
}

const REQUEST = 'request.json'
const ENDING = 'ending.json'

const textOf = (value: unknown) => `${JSON.stringify(value)}\n`

/** Errors of paths that the journal did not create. */
const NOT_OURS: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR'])

/** Reads the text of a file; empty if the file does not exist. */
const readText = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if (NOT_OURS.has((cause as NodeJS.ErrnoException).code)) return ''
    throw cause
  }
}

const readKept = async (folder: string): Promise<StoredRequest | undefined> => {
  const accepted = readAccepted(await readText(join(folder, REQUEST)))
  if (!accepted) return undefined
  const ending = readEnding(await readText(join(folder, ENDING)))
  return { accepted, ...(ending && { ending }) }
}

/** Removes the files of an attempt from the folder of a request, including temporary ones left by a killed process. */
const clean = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder))
    if (name !== REQUEST && name !== ENDING)
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 })
}

/** Opens a journal in `folder`; its records outlive the process if `isDurable`. */
export const openRequestJournal = async (folder: string, isDurable: boolean): Promise<RequestJournal> => {
  const folderOf = (accepted: Accepted) => join(folder, nameOf(accepted))
  const unusable = (cause: unknown) =>
    fail('VID_PRODUCER_STATE_UNUSABLE', { folder, reason: describeCause(cause) }, { cause })
  await makeFolder(folder, 0o700).catch((cause) => {
    throw unusable(cause)
  })
  return {
    isDurable,
    folderOf,
    async accept(accepted) {
      const place = folderOf(accepted)
      const fresh = join(folder, `${NEW}${nameOf(accepted)}`)
      let draft = fresh
      try {
        await mkdir(isDurable ? fresh : place, { mode: 0o700 })
        if (!isDurable) return
        await writeDurable(join(fresh, REQUEST), textOf(accepted))
        await rename(fresh, place)
        draft = place
        await syncFolder(folder)
      } catch (cause) {
        await rm(draft, { recursive: true, force: true }).catch(() => {})
        throw unusable(cause)
      }
    },
    async start(accepted) {
      try {
        await clean(folderOf(accepted))
        if (isDurable) await writeDurable(join(folderOf(accepted), REQUEST), textOf(accepted))
      } catch (cause) {
        throw unusable(cause)
      }
    },
    async end(accepted, ending) {
      if (isDurable) await writeDurable(join(folderOf(accepted), ENDING), textOf(ending))
    },
    forget: (accepted) => rm(folderOf(accepted), { recursive: true, force: true, maxRetries: 3 }),
    async restore() {
      const keptRequests: StoredRequest[] = []
      const damaged: string[] = []
      try {
        for (const name of (await readdir(folder)).sort()) {
          const place = join(folder, name)
          // It was never accepted.
          if (!isDurable || name.startsWith(NEW)) await rm(place, { recursive: true, force: true })
          else {
            const record = await readKept(place)
            if (record) keptRequests.push(record)
            else damaged.push(place)
          }
        }
      } catch (cause) {
        throw unusable(cause)
      }
      return { kept: keptRequests, damaged }
    },
  }
}
