import { open } from 'node:fs/promises'
import { recall } from '../tools/build-memory.ts'
import type { FfmpegTools } from '../tools/find.ts'
import { runProcess } from '../tools/process.ts'

const BANNER = /x264 - core (\d+)(?: (r[^ ]+ [0-9a-f]+))?.*?options: ([^\0]*)/

/** Version and settings that x264 wrote into a stream. */
export interface X264Info {
  /** Such as `164` or `157 r2935M 545de2f`. */
  readonly core: string
  /** Its settings by name, such as `crf` → `18.0`. */
  readonly options: Readonly<Record<string, string>>
}

const parse = (text: string): X264Info | undefined => {
  const [, number, revision, options] = BANNER.exec(text) ?? []
  if (number === undefined || options === undefined) return undefined
  const pairs = options
    .trim()
    .split(' ')
    .map((pair) => pair.split('='))
  return {
    core: revision === undefined ? number : `${number} ${revision}`,
    options: Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value])),
  }
}

/** Reads x264's version and settings from the first bytes of a file; undefined without them. */
export const readX264Info = async (file: string): Promise<X264Info | undefined> => {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(1 << 20), position: 0 })
    return parse(buffer.subarray(0, bytesRead).toString('latin1'))
  } finally {
    await handle.close()
  }
}

/** Owned by the process: the version depends on the build alone, and a process uses only a few builds. */
const cores = new Map<string, string>()

/** Version of the x264 inside ffmpeg, read once per build from a tiny encoded picture. */
export const x264Core = async (tools: FfmpegTools, signal?: AbortSignal): Promise<string> => {
  const probe = cores.get(tools.build)
  if (probe) return probe
  const source = ['-f', 'lavfi', '-i', 'color=s=16x16', '-frames:v', '1']
  const args = ['-nostdin', '-v', 'error', ...source, '-c:v', 'libx264', '-f', 'h264', 'pipe:1']
  const core = await recall(tools.ffmpeg, 'x264', async () => {
    return parse(await runProcess(tools.ffmpeg, args, signal))?.core ?? 'unknown'
  })
  cores.set(tools.build, core)
  return core
}
