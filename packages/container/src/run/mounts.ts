import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fail } from '../errors.ts'

/** Folders of the image that nothing of the machine may cover. */
const IMAGE_FOLDERS = [
  ...['/bin', '/dev', '/etc', '/lib', '/lib64', '/opt/vid', '/proc', '/run', '/sbin', '/segments'],
  ...['/sys', '/tmp', '/usr', '/var', '/vid'],
]

/** A part of the machine that a container sees. */
export interface Mount {
  /** Absolute path on the machine. */
  readonly source: string
  /** Absolute path inside; that of the machine if left out. */
  readonly destination?: string
  readonly isReadOnly: boolean
}

const isWithin = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way === '' || (!way.startsWith('../') && way !== '..')
}

/** Refuses a path that would cover a folder of the image. */
const checkPlace = (path: string): void => {
  const covers = IMAGE_FOLDERS.find((folder) => isWithin(folder, path))
  if (covers !== undefined) throw fail('VID_CONTAINER_FOLDER', { path, covers })
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const foldersFrom = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersFrom(dirname(folder))]

/** The `node_modules` folders in which Node looks for the packages of a file in `folder`. */
const packageFolders = async (folder: string): Promise<readonly string[]> => {
  const wanted = foldersFrom(folder).map((each) => join(each, 'node_modules'))
  const found = await Promise.all(wanted.map(exists))
  return wanted.filter((_, index) => found[index])
}

/** What of a config has to be seen: its folder, or the file alone where that is the user's home or a folder above it. */
const configPath = (file: string): string => (isWithin(homedir(), dirname(file)) ? file : dirname(file))

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
 * the packages that both can import, and what the user has added.
 */
export const readOnlyMounts = async ({ projectDir, config, more }: Sight): Promise<readonly Mount[]> => {
  const starts = [projectDir, ...(config === undefined ? [] : [dirname(config)])]
  const packages = await Promise.all(starts.map(packageFolders))
  const wanted = [
    projectDir,
    ...(config === undefined ? [] : [configPath(config)]),
    ...packages.flat(),
    ...more,
  ]
  const paths = [...new Set(wanted)]
  for (const path of paths) checkPlace(path)
  return paths
    .filter((path) => !paths.some((other) => other !== path && isWithin(path, other)))
    .sort()
    .map((source) => ({ source, isReadOnly: true }))
}

/** A field of a list with commas: engines read it as CSV. */
const field = (name: string, value: string): string => {
  const text = `${name}=${value}`
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The words of an engine that show a container these parts of the machine. */
export const mountArguments = (mounts: readonly Mount[]): readonly string[] =>
  mounts.flatMap(({ source, destination = source, isReadOnly }) => [
    '--mount',
    [
      'type=bind',
      field('source', source),
      field('destination', destination),
      ...(isReadOnly ? ['readonly'] : []),
    ].join(','),
  ])
