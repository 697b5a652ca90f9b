import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isHarmlessLibrary } from '@vid/assets'
import { compileEntry, type EditReach, readEdit } from '@vid/core'
import { readManifest } from '@vid/project'

/** A composition in a folder. */
export interface Composition {
  readonly projectDir: string
  readonly entry: string
  /** Folder of the project that it is a copy of, with the same packages; itself if left out. */
  readonly copyOf?: string | undefined
}

/** Files that no page is drawn from. */
const NOT_DRAWN = /(?:^|\/)(?:[^/]+\.md|LICENSE|\.gitignore)$/i

/** Folders that are left out of manifests, so that nothing is known of their files. */
const UNLISTED = /["'(\s](?:\.?\/)?(?:dist|coverage|renders|snapshots|\.[\w-]+)\/[^"')\s]/

const modulesOf = ({ projectDir, copyOf = projectDir }: Composition) =>
  realpath(join(copyOf, 'node_modules')).catch(() => null)

const digestsOf = async ({ projectDir }: Composition, signal: AbortSignal) => {
  const { files } = await readManifest(projectDir, { signal })
  return new Map(files.map(({ path, digest }) => [path, digest]))
}

/** Where the change from one composition to another can be seen, as far as their files prove it without a browser. */
export const findReach = async (before: Composition, after: Composition, signal: AbortSignal): Promise<EditReach> => {
  const [old, now, oldDigests, digests] = await Promise.all([
    compileEntry(before.projectDir, before.entry, { signal }),
    compileEntry(after.projectDir, after.entry, { signal }),
    digestsOf(before, signal),
    digestsOf(after, signal),
  ])
  if ((await modulesOf(before)) !== (await modulesOf(after)))
    return { reason: 'the folders have packages of their own' }
  const texts = new Set([before.entry, after.entry, ...old.files, ...now.files])
  const changed = [...new Set([...oldDigests.keys(), ...digests.keys()])].filter(
    (path) => !texts.has(path) && !NOT_DRAWN.test(path) && oldDigests.get(path) !== digests.get(path),
  )
  const [first] = changed
  if (first !== undefined) return { reason: `the file ${first} differs` }
  if (UNLISTED.test(old.html) || UNLISTED.test(now.html))
    return { reason: 'the page uses files that are made by a build' }
  if (old.html === now.html) return { windows: [] }
  return readEdit(old.html, now.html, { isHarmless: isHarmlessLibrary })
}
