import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { PackageFile } from './package-files.ts'

/** Programs that are shipped compressed, since they would take half of a function's size limit. */
const PROGRAM = /(?:^|\/)node_modules\/@ff(?:mpeg|probe)-installer\/linux-x64\/(?<name>ffmpeg|ffprobe)$/

/** Folder of the compressed programs, below that of the function; function/programs.ts unpacks them. */
const PROGRAMS = 'programs'

/** Replaces the programs with compressed ones; an environment of the function unpacks them once. */
export const compressPrograms = async (files: readonly PackageFile[]): Promise<readonly PackageFile[]> => {
  const compress = promisify(gzip)
  const compressed = new Map<string, PackageFile>()
  const unpackedFiles: PackageFile[] = []
  for (const file of files) {
    const name = PROGRAM.exec(file.path)?.groups?.name
    if (name === undefined || typeof file.from !== 'string') {
      unpackedFiles.push(file)
      continue
    }
    if (compressed.has(name)) continue
    const content = await compress(await readFile(file.from), { level: 6 })
    const path = `${PROGRAMS}/${name}.gz`
    compressed.set(name, { path, from: { content }, bytes: content.length, isExecutable: false })
  }
  return [...unpackedFiles, ...compressed.values()]
}
