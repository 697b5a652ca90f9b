import { rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Destination } from './delivery-suite.ts'
import { scratchFolder } from './rig.ts'
import { bytesAt, filesUnder } from './suite.ts'

const destinationAt = (outputPath: string): Destination => ({
  outputPath,
  read: () => bytesAt(outputPath).catch(() => undefined),
  async names() {
    const files = await filesUnder(dirname(outputPath)).catch(() => [])
    const name = basename(outputPath)
    return [...new Set(files.map((file) => (file.startsWith(name) ? name : file)))]
  },
})

/** A place in a new folder, for plugins that write files. */
export const folderDestination = async (): Promise<Destination> =>
  destinationAt(join(await scratchFolder(), 'videos', 'out.bin'))

/** A place that cannot be written to, since its folder is a file. */
export const blockedPath = async (): Promise<Destination> => {
  const folder = await scratchFolder()
  await rm(join(folder, 'videos'), { force: true })
  await writeFile(join(folder, 'videos'), 'a file')
  return destinationAt(join(folder, 'videos', 'out.bin'))
}
