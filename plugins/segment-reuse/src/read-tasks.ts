import { isHarmlessLibrary } from '@vid/assets'
import { compileComposition, compositionDigest, type EntryInput, loadComposition, readEdit } from '@vid/core'
import { readTasksOf } from '@vid/kernel'

const define = readTasksOf(import.meta.url)

/** The entry of a plan, with the digest of its text there. */
interface PlannedEntry extends EntryInput {
  readonly digest: string
}

/** Reads the text of a plan again; undefined if its files have changed since. */
export const plannedTextTask = define(
  'plannedTextTask',
  async ({ projectDir, entry, shape, digest }: PlannedEntry, signal) => {
    const composition = await loadComposition(projectDir, entry, { signal, shape })
    const source = { file: entry, html: composition.html }
    const { html, files } = await compileComposition(projectDir, source, { signal })
    return digest === (files.length > 0 ? compositionDigest(html) : composition.digest) ? html : undefined
  },
)

/** Two texts of an entry. */
interface EditInput {
  readonly entry: string
  readonly before: string
  readonly after: string
}

/** Reads the windows of time in which an edit of a composition is visible. */
export const editReachTask = define('editReachTask', async ({ before, after }: EditInput) =>
  readEdit(before, after, { isHarmless: isHarmlessLibrary }),
)
