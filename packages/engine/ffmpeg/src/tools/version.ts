import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { withinServed } from '@vid/system'
import { recall } from './build-memory.ts'
import { runProcess } from './process.ts'

/** Served time in which a program must have printed its version. */
const START_MS = 20_000

/** Version of a build of ffmpeg or ffprobe, from its own description. */
export interface BuildInfo {
  /** Such as `5.1.9-0+deb12u1` or `N-47683-g0e8eb07980-static`. */
  readonly version: string
  /** Major version of libavutil: it orders builds by age even without a release number. */
  readonly avutil: number
  readonly configuration: string
  /** Version and digest of the whole description, for a plan. */
  readonly build: string
}

/** Owned by the process: programs are the same for every render in it, and a process uses only a few. */
const builds = new Map<string, BuildInfo>()

const parse = (text: string): BuildInfo => {
  const version = /^ff\w+ version (\S+)/.exec(text)?.[1]
  const avutil = /libavutil\s+(\d+)\./.exec(text)?.[1]
  if (version === undefined || avutil === undefined) throw new Error('it does not print an ffmpeg version')
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const configuration = /configuration:(.*)/.exec(text)?.[1]?.trim() ?? ''
  return { version, avutil: Number(avutil), configuration, build: `${version} ${digest}` }
}

/** Asks `program` for its version; once per path and identity of its file. */
export const inspectBuild = async (program: string, signal?: AbortSignal): Promise<BuildInfo> => {
  const { ino, size, mtimeMs, ctimeMs } = await stat(program)
  const key = [program, ino, size, mtimeMs, ctimeMs].join('\0')
  const build = builds.get(key)
  if (build) return build
  const ask = () => withinServed(START_MS, (either) => runProcess(program, ['-version'], either), { signal })
  const info = parse(await recall(program, 'version', ask))
  builds.set(key, info)
  return info
}
