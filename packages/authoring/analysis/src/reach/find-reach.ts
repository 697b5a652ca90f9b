import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isHarmlessLibrary } from '@vid/assets'
import { compileEntry, type EditReach, readEdit } from '@vid/core'
import { readManifest } from '@vid/project'

/** A composition in a folder. */
export interface CompositionFolder {
  readonly projectDir: string
  readonly entry: string
  /** Folder of the project that it is a copy of, with the same packages; itself if left out. */
  readonly copyOf?: string | undefined
}

/** Files that no page is drawn from. */
const NOT_DRAWN = /(?:^|\/)(?:[^/]+\.md|LICENSE|\.gitignore)$/i

/** Folders that are left out of manifests, so that nothing is known of their files. */
const UNLISTED = /["'(\s](?:\.?\/)?(?:dist|coverage|renders|snapshots|\.[\w-]+)\/[^"')\s]/

const modulesOf = ({ projectDir, copyOf = projectDir }: CompositionFolder) =>
  realpath(join(copyOf, 'node_modules')).catch(() => null)

const digestsOf = async ({ projectDir }: CompositionFolder, signal: AbortSignal) => {
  const { files } = await readManifest(projectDir, { signal })
  return new Map(files.map(({ path, digest }) => [path, digest]))
}

/** What the files of a composition say, kept to be compared with what they say later. */
export interface ReadComposition {
  readonly entry: string
  readonly html: string
  /** Files that the text was compiled from. */
  readonly texts: readonly string[]
  readonly digests: ReadonlyMap<string, string>
  readonly modules: string | null
}

/** Reads the files of a composition. */
export const readCompositionFiles = async (
  composition: CompositionFolder,
  signal: AbortSignal,
): Promise<ReadComposition> => {
  const { projectDir, entry } = composition
  const [{ html, files }, digests, modules] = await Promise.all([
    compileEntry(projectDir, entry, { signal }),
    digestsOf(composition, signal),
    modulesOf(composition),
  ])
  return { entry, html, texts: [entry, ...files], digests, modules }
}

/** Where the change from one composition to another can be seen, as far as their files prove it without a browser. */
export const reachBetween = (before: ReadComposition, after: ReadComposition): EditReach => {
  if (before.modules !== after.modules) return { reason: 'the folders have packages of their own' }
  const texts = new Set([...before.texts, ...after.texts])
  const changed = [...new Set([...before.digests.keys(), ...after.digests.keys()])].filter(
    (path) => !texts.has(path) && !NOT_DRAWN.test(path) && before.digests.get(path) !== after.digests.get(path),
  )
  const [first] = changed
  if (first !== undefined) return { reason: `the file ${first} differs` }
  if (UNLISTED.test(before.html) || UNLISTED.test(after.html))
    return { reason: 'the page uses files that are made by a build' }
  if (before.html === after.html) return { windows: [] }
  return readEdit(before.html, after.html, { isHarmless: isHarmlessLibrary })
}
