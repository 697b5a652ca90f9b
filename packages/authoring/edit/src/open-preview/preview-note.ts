import { constants } from 'node:fs'
import { open, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAs, type Static, Type } from '@vid/protocol'
import { isProcessAlive, makeFolder, processStart, writePrivateText } from '@vid/system'
import { historyFolder } from '../history/history-folder.ts'

/** Where an open preview is noted, from the folder of its project. */
const FILE = '.vid/preview.json'

const PreviewNoteSchema = Type.Object(
  {
    pid: Type.Integer({ minimum: 1 }),
    /** Start time of the process in system ticks; null where it is unknown. */
    begun: Type.Union([Type.String({ maxLength: 40 }), Type.Null()]),
    /** Port on the loopback address. */
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    token: Type.String({ pattern: '^[A-Za-z0-9_-]{32,64}$' }),
  },
  { additionalProperties: false },
)

/** How commands reach the preview of a project that is open on this machine. */
export type PreviewNote = Static<typeof PreviewNoteSchema>

const MAX_BYTES = 1000

/** Whether only this user can have written a file: it is theirs, and no one else may read or write it. */
const isPrivate = ({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0)

const readNote = async (dir: string): Promise<PreviewNote | undefined> => {
  const folder = await historyFolder(dir, false).catch(() => undefined)
  if (folder === undefined) return undefined
  // A link is not followed: it would be a file of somebody else.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = await open(join(dir, FILE), flags).catch(() => undefined)
  try {
    const facts = await file?.stat()
    if (!file || !facts?.isFile() || facts.size > MAX_BYTES || !isPrivate(facts)) return undefined
    return parseAs(PreviewNoteSchema, await file.readFile('utf8'))
  } finally {
    await file?.close()
  }
}

/** The open preview of a project; undefined where none runs. */
export const findPreviewNote = async (dir: string): Promise<PreviewNote | undefined> => {
  const note = await readNote(dir)
  return note && isProcessAlive(note.pid, note.begun ?? undefined) ? note : undefined
}

/** Notes an open preview, for this user alone; returns what removes the note, unless a later preview has replaced it. */
export const writePreviewNote = async (
  dir: string,
  { port, token }: Pick<PreviewNote, 'port' | 'token'>,
): Promise<() => Promise<void>> => {
  // Refuses a link in place of the folder.
  await historyFolder(dir, false)
  const folder = join(dir, '.vid')
  await makeFolder(folder)
  const note: PreviewNote = { pid: process.pid, begun: processStart(process.pid) ?? null, port, token }
  await writePrivateText(join(dir, FILE), `${JSON.stringify(note)}\n`)
  return async () => {
    if ((await readNote(dir))?.token !== token) return
    await rm(join(dir, FILE), { force: true })
    // It stays where it holds a history or comments.
    await rmdir(folder).catch(() => {})
  }
}
