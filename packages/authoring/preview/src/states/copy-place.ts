import { link, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listFiles, makeScratchFolder, removeAbandoned, scratchName } from '@vid/system'

const PREFIX = 'preview-'

/** Whether files of a project can be linked from a folder. */
const canLink = async (dir: string, folder: string): Promise<boolean> => {
  const [file] = await listFiles(dir, /\.html?$/i)
  if (file === undefined) return false
  const trial = join(folder, scratchName('link-'))
  try {
    await link(join(dir, file), trial)
    await rm(trial)
    return true
  } catch {
    return false
  }
}

/**
 * The folder for copies of a project: `scratch` where that is on the file system of the project, else a new one in the project's
 * hidden folder, which `atEnd` removes.
 */
export const findCopyPlace = async (
  dir: string,
  scratch: string,
  atEnd: (end: () => Promise<void>) => void,
): Promise<string> => {
  if (await canLink(dir, scratch)) return scratch
  const hidden = join(dir, '.vid')
  try {
    await mkdir(hidden, { recursive: true })
    await removeAbandoned(hidden, PREFIX)
    const place = await makeScratchFolder(hidden, PREFIX)
    atEnd(() => rm(place, { recursive: true, force: true }))
    return place
  } catch {
    // The project may not be written: its files are copied.
    return scratch
  }
}
