import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAs, rethrowMachineFault, Type } from '@vid/protocol'
import { writePrivateText } from '@vid/system'
import { fail } from '../errors.ts'
import { type Comment, CommentSchema } from '../events.ts'
import { historyFolder } from '../history/history-folder.ts'
import { withHistory } from '../session/actions.ts'

/** Where the comments of a project are kept, from its folder. */
const FILE = '.vid/comments.json'

const MAX_BYTES = 8 * 1024 * 1024
const MAX_COMMENTS = 500

const CommentFileSchema = Type.Object({
  /** Number of the next comment. */
  next: Type.Integer({ minimum: 1 }),
  comments: Type.Array(CommentSchema, { maxItems: MAX_COMMENTS }),
})

/** The comments of a project, the oldest first, and the number of the next one. */
export interface CommentFile {
  readonly next: number
  readonly comments: readonly Comment[]
}

const readFileOf = async (dir: string): Promise<CommentFile> => {
  // Refuses a link in place of the folder.
  await historyFolder(dir, false)
  const path = join(dir, FILE)
  const facts = await lstat(path).catch(rethrowMachineFault)
  if (facts === undefined) return { next: 1, comments: [] }
  const isReadable = facts.isFile() && facts.size <= MAX_BYTES
  const file = isReadable ? parseAs(CommentFileSchema, await readFile(path, 'utf8')) : undefined
  if (file) return file
  throw fail('VID_COMMENT_FILE', { file: FILE })
}

/** The comments of a project, the oldest first. */
export const readComments = async (dir: string): Promise<readonly Comment[]> => (await readFileOf(dir)).comments

/** Changes the comments of a project, while no other process does; `change` returns all of them, and the changed one. */
export const changeComments = (
  dir: string,
  signal: AbortSignal | undefined,
  change: (file: CommentFile) => { readonly comments: readonly Comment[]; readonly changed: Comment },
): Promise<Comment> =>
  withHistory({ dir, signal }, async () => {
    const file = await readFileOf(dir)
    const { comments, changed } = change(file)
    if (comments.length > MAX_COMMENTS) throw fail('VID_COMMENT_FULL', { what: 'comments', most: MAX_COMMENTS })
    const next = Math.max(file.next, changed.id + 1)
    await writePrivateText(join(dir, FILE), `${JSON.stringify({ next, comments }, null, 1)}\n`)
    return changed
  })
