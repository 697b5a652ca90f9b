import { expect, test } from 'vitest'
import { parseRasterLevel } from './raster-level.ts'

const V2 = 'fpu sse sse2 ssse3 sse4_1 sse4_2 popcnt'
const V3 = `${V2} avx avx2 bmi1 bmi2 f16c fma abm movbe`
const V4 = `${V3} avx512f avx512bw avx512cd avx512dq avx512vl`

const processor = (flags: string, maker = 'GenuineIntel', family = 6) =>
  [`vendor_id\t: ${maker}`, `cpu family\t: ${family}`, 'model name\t: any', `flags\t\t: ${flags}`].join('\n')

const machine = (...processors: string[]) => `${processors.join('\n\n')}\n\n`

test.each([
  ['all of AVX-512', V4, 'x86-64-v4 GenuineIntel 6'],
  ['AVX2 and what came with it', V3, 'x86-64-v3 GenuineIntel 6'],
  ['an AVX-512 of no level', `${V3} avx512f avx512cd`, `${V3} avx512f avx512cd GenuineIntel 6`],
  ['AVX2 without its companions', `${V2} avx avx2`, `${V2} avx avx2 GenuineIntel 6`],
  ['SSE4', V2, `${V2} GenuineIntel 6`],
])('a processor with %s is named by what decides its pictures', (_case, flags, level) => {
  const named = level.replace('fpu sse sse2', 'x86-64')
  expect(parseRasterLevel(machine(processor(flags), processor(flags)))).toEqual({ level: named })
})

test('processors of another maker or family have a level of their own', () => {
  const levels = [processor(V3), processor(V3, 'AuthenticAMD', 23), processor(V3, 'AuthenticAMD', 25)]
  expect(new Set(levels.map((level) => parseRasterLevel(machine(level)).level)).size).toBe(3)
})

test.each([
  ['differ', machine(processor(V4), processor(V3))],
  ['names no instruction sets', 'processor\t: 0\nFeatures\t: fp asimd\n'],
  ['names no instruction sets', ''],
])('a machine has no level when its description %s', (reason, cpuinfo) => {
  expect(parseRasterLevel(cpuinfo)).toEqual({ reason: expect.stringContaining(reason) })
})
