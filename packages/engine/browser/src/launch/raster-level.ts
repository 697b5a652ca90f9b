import { readFileSync } from 'node:fs'

/**
 * How the processor draws pages: `native` with all its instruction sets, `portable` with those that every
 * processor of the architecture has.
 */
export type Raster = 'native' | 'portable'

/** A description of the instruction sets that determine native pictures, or the reason why they are unknown. */
export type RasterLevel =
  | { readonly level: string; readonly reason?: undefined }
  | { readonly level?: undefined; readonly reason: string }

/** Beyond SSE2; by their names in /proc/cpuinfo. */
const V3 = [
  'ssse3',
  'sse4_1',
  'sse4_2',
  'popcnt',
  'avx',
  'avx2',
  'bmi1',
  'bmi2',
  'f16c',
  'fma',
  'abm',
  'movbe',
] as const
const AVX512 = ['avx512f', 'avx512bw', 'avx512cd', 'avx512dq', 'avx512vl'] as const

/** The psABI levels that Skia distinguishes; a processor between two of them is described by its instruction sets. */
const instructionSets = (flags: ReadonlySet<string>): string => {
  const has = (flag: string) => flags.has(flag)
  const wide = AVX512.filter(has)
  if (V3.every(has) && wide.length === AVX512.length) return 'x86-64-v4'
  if (V3.every(has) && wide.length === 0) return 'x86-64-v3'
  return ['x86-64', ...V3.filter(has), ...wide].join(' ')
}

const fieldOf = (processor: string, name: string): string =>
  new RegExp(`^${name}\\s*:\\s*(.*)$`, 'm').exec(processor)?.[1]?.trim() ?? ''

/**
 * The level of a processor. It includes the vendor and family, since approximations such as `rcpps` have different last
 * bits on another microarchitecture.
 */
const levelOf = (processor: string): string | undefined => {
  const flags = fieldOf(processor, 'flags')
  if (flags === '') return undefined
  const maker = fieldOf(processor, 'vendor_id')
  const family = fieldOf(processor, 'cpu family')
  return `${instructionSets(new Set(flags.split(/\s+/)))} ${maker} ${family}`.trim()
}

/** The level of a machine by the text of its /proc/cpuinfo. */
export const parseRasterLevel = (cpuinfo: string): RasterLevel => {
  const processors = cpuinfo.split(/\n\s*\n/).filter((processor) => processor.trim() !== '')
  const [level, ...others] = new Set(processors.map(levelOf))
  if (level === undefined) return { reason: '/proc/cpuinfo names no instruction sets' }
  return others.length === 0 ? { level } : { reason: 'the processors of this machine differ' }
}

const readLevel = (): RasterLevel => {
  const { platform, arch } = process
  if (platform !== 'linux' || arch !== 'x64')
    return { reason: `the instruction sets of processors are not known on ${platform} ${arch}` }
  try {
    return parseRasterLevel(readFileSync('/proc/cpuinfo', 'utf8'))
  } catch (cause) {
    return { reason: `/proc/cpuinfo cannot be read (${(cause as NodeJS.ErrnoException).code})` }
  }
}

/** Read once per process, since the processors do not change. It only saves time. */
let cached: RasterLevel | undefined

/** The level of this machine. */
export const readRasterLevel = (): RasterLevel => {
  cached ??= readLevel()
  return cached
}
