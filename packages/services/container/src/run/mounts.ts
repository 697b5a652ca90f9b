import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { packagesBeside } from '@vid/assets'
import { isWithin } from '@vid/system'
import { fail } from '../errors.ts'
import { type LinkedPath, linkedCode } from './linked-code.ts'
import { foldersUpFrom, IMAGE_PACKAGES, imageFolderIn } from './paths.ts'

/** A part of the machine that a container sees. */
export interface Mount {
  /** Absolute path on the machine. */
  readonly source: string
  /** Absolute path inside; that of the machine if left out. */
  readonly destination?: string
  readonly isReadOnly: boolean
}

/** Refuses a path that would cover a folder of the image. */
const checkPlace = (path: string): void => {
  const covers = imageFolderIn(path)
  if (covers !== undefined) throw fail('VID_CONTAINER_FOLDER', { path, covers })
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** The `node_modules` folders in which Node looks for the packages of a file in `folder`. */
const packageFolders = async (folder: string): Promise<readonly string[]> => {
  const folders = foldersUpFrom(folder).map((parent) => join(parent, 'node_modules'))
  const presence = await Promise.all(folders.map(exists))
  return folders.filter((_, index) => presence[index])
}

/** What of a config has to be seen: its folder, or the file alone where that is the user's home or a folder above it. */
const configPath = (file: string): string => (isWithin(homedir(), dirname(file)) ? file : dirname(file))

/** Without those that others show already. */
const outermost = (paths: readonly LinkedPath[]): LinkedPath[] =>
  paths.filter(
    ({ destination }) =>
      !paths.some((other) => other.destination !== destination && isWithin(destination, other.destination)),
  )

/** What a render is to see of the machine. */
export interface Sight {
  readonly projectDir: string
  /** Absolute path of the config file. */
  readonly config: string | undefined
  /** More absolute paths. */
  readonly more: readonly string[]
}

/**
 * What a render sees of the machine, for reading only and under the same paths: the project, the config with its folder,
 * the packages that both can import, and what the user has added. Links that lead out of these are followed where code
 * of the config or a font needs it.
 */
export const readOnlyMounts = async ({ projectDir, config, more }: Sight): Promise<readonly Mount[]> => {
  const starts = [projectDir, ...(config === undefined ? [] : [dirname(config)])]
  const packages = await Promise.all(starts.map(packageFolders))
  const paths = [projectDir, ...(config === undefined ? [] : [configPath(config)]), ...packages.flat(), ...more]
  for (const path of paths) checkPlace(path)
  for (const path of more) if (!(await exists(path))) throw fail('VID_CONTAINER_MOUNT', { path })
  const shown = outermost(
    await Promise.all([...new Set(paths)].map(async (path) => ({ source: await realpath(path), destination: path }))),
  )
  return outermost(await linkedCode({ projectDir, config, shown }))
    .sort((first, other) => (first.destination < other.destination ? -1 : 1))
    .map(({ source, destination }) => ({
      source,
      isReadOnly: true,
      ...(source !== destination && { destination }),
    }))
}

/**
 * Packages beside the vid of this machine, as if the image had them too: pages get the same libraries and fonts on both
 * sides.
 */
const besideMounts = async (): Promise<readonly Mount[]> =>
  [...(await packagesBeside())].map(([name, source]) => ({
    source,
    destination: `${IMAGE_PACKAGES}/${name}`,
    isReadOnly: true,
  }))

/** All that a render sees of the machine, for reading only: its own folders, and the packages beside this vid. */
export const sightMounts = async (sight: Sight): Promise<readonly Mount[]> => [
  ...(await readOnlyMounts(sight)),
  ...(await besideMounts()),
]

/** A field of a list with commas: engines read it as CSV. */
const field = (name: string, value: string): string => {
  const text = `${name}=${value}`
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The words of an engine that show a container these parts of the machine. */
export const mountArguments = (mounts: readonly Mount[]): readonly string[] =>
  mounts.flatMap(({ source, destination = source, isReadOnly }) => [
    '--mount',
    ['type=bind', field('source', source), field('destination', destination), ...(isReadOnly ? ['readonly'] : [])].join(
      ',',
    ),
  ])
