import { dirname } from 'node:path'
import { isWithin } from '@vid/system'

/** Folder inside of the packages of the image. */
export const IMAGE_PACKAGES = '/opt/vid/node_modules'

/** Folders of the image that nothing of the machine may cover. */
const IMAGE_FOLDERS = [
  '/bin',
  '/dev',
  '/etc',
  '/lib',
  '/lib64',
  '/opt/vid',
  '/proc',
  '/run',
  '/sbin',
  '/segments',
  '/sys',
  '/tmp',
  '/usr',
  '/var',
  '/vid',
]

/** The folder of the image that a path would cover; undefined where it covers none. */
export const imageFolderIn = (path: string): string | undefined =>
  IMAGE_FOLDERS.find((folder) => isWithin(folder, path))

/** A folder and all folders above it, the nearest first. */
export const foldersUpFrom = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersUpFrom(dirname(folder))]
