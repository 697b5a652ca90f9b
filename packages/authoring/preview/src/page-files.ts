import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contentTypeOf } from '@vid/assets'
import { rethrowMachineFault } from '@vid/protocol'

/** Where the build puts the page. */
const FOLDER = fileURLToPath(new URL('../dist/page', import.meta.url))

/** A file of the page. */
export interface PageFile {
  readonly type: string
  readonly body: Buffer
}

/** A file that the build of the page made, by its path without a leading slash; undefined for any other. */
export const readPageFile = async (path: string): Promise<PageFile | undefined> => {
  if (!/^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/.test(path)) return undefined
  const body = await readFile(join(FOLDER, path)).catch((cause: NodeJS.ErrnoException) => {
    rethrowMachineFault(cause)
    return undefined
  })
  return body && { type: contentTypeOf(path), body }
}
