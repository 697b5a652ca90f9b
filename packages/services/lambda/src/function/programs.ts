import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { writeWhole } from '@vid/system'
import type { FunctionEnvironment } from './environment.ts'

/** Folder of the compressed programs, below that of the function. */
const PROGRAMS = 'programs'

const variables: Readonly<Record<string, string>> = { ffmpeg: 'VID_FFMPEG_PATH', ffprobe: 'VID_FFPROBE_PATH' }

/** Depends only on the package, so that programs unpacked by an earlier process are reused. */
const nameOf = async (codeDir: string): Promise<string> => {
  const { size, mtimeMs } = await stat(join(codeDir, PROGRAMS))
  return createHash('sha256').update(`${codeDir} ${size} ${mtimeMs}`).digest('hex').slice(0, 16)
}

const unpack = async (from: string, to: string): Promise<void> => {
  if (existsSync(to)) return
  await writeWhole(to, (partial) =>
    pipeline(createReadStream(from), createGunzip(), createWriteStream(partial, { mode: 0o700 })),
  )
}

/** Unpacks the function's compressed programs and selects them; a program chosen by the operator takes precedence. */
export const openPrograms = async ({ codeDir, tempDir, env }: FunctionEnvironment): Promise<void> => {
  const packed = await readdir(join(codeDir, PROGRAMS)).catch(() => [])
  if (packed.length === 0) return
  const folder = join(tempDir, 'vid-programs', await nameOf(codeDir))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await Promise.all(
    packed.map(async (file) => {
      const name = file.replace(/\.gz$/, '')
      const variable = variables[name]
      if (variable === undefined || env[variable]) return
      const path = join(folder, name)
      await unpack(join(codeDir, PROGRAMS, file), path)
      env[variable] = path
    }),
  )
}
